// The form of a filter, a new one or one to be changed.
import { html } from 'hono/html'
import type { FilterAction, FilterContext } from '#domain/reading/filters/rules.ts'
import { renderPart, renderRadios } from '#http/web/kit/controls.ts'
import { renderCheckbox, renderField, renderForm, renderSelect } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import type { PageCall } from '#http/web/kit/page.ts'
import type { FilterKeywordId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'

export const contexts: readonly FilterContext[] = ['home', 'notifications', 'public', 'thread', 'account']
export const actions = ['warn', 'blur', 'hide'] as const satisfies readonly FilterAction[]
/** Seconds from now; '' is for good, and `keep` leaves the end as it is. */
export const durations = ['', 'keep', '1800', '3600', '86400', '604800'] as const

/** Empty lines for words that may be added. */
const newKeywords = 3

interface Keyword {
  id?: FilterKeywordId
  keyword: string
  whole_word: boolean
}

export interface Entered {
  title: string
  context: readonly FilterContext[]
  action: FilterAction
  expires_in: string
  keywords: readonly Keyword[]
}

export const nothing: Entered = {
  title: '',
  context: ['home', 'notifications', 'public', 'thread', 'account'],
  action: 'warn',
  expires_in: '',
  keywords: [],
}

interface FilterForm {
  action: string
  entered: Entered
  submit: string
  problem: string | undefined
}

export function renderFilterForm(call: PageCall, { action, entered, submit, problem }: FilterForm): Html {
  const t = textsIn(call.language).pages.settings.filters
  const isKnown = entered.expires_in === 'keep'
  return renderForm(call, {
    action,
    problem: problem ?? null,
    fields: [
      renderWords(call, entered),
      renderField({ name: 'title', label: t.name, hint: t.nameHint, value: entered.title, required: false }),
      renderPart({
        id: 'where',
        title: t.where,
        fields: contexts.map((context) =>
          renderCheckbox({
            name: `context[${context}]`,
            label: t.contexts[context],
            checked: entered.context.includes(context),
          }),
        ),
      }),
      renderRadios({
        name: 'filter_action',
        label: t.what,
        options: actions.map((value) => ({ value, ...t.actions[value] })),
        value: entered.action,
      }),
      renderSelect({
        name: 'expires_in',
        label: t.until,
        value: entered.expires_in,
        choices: durations
          .filter((value) => value !== 'keep' || isKnown)
          .map((value) => ({ value, label: t.durations[value === '' ? 'never' : value] })),
      }),
    ],
    submit,
  })
}

function renderWords(call: PageCall, { keywords }: Entered): Html {
  const t = textsIn(call.language).pages.settings.filters
  const empty = Array.from({ length: newKeywords }, (): Keyword => ({ keyword: '', whole_word: true }))
  const lines = [...keywords, ...empty]
  return renderPart({
    id: 'words',
    title: t.words,
    hint: t.wordsHint,
    fields: [
      html`<input type="hidden" name="lines" value="${lines.length}" />`,
      ...lines.map(
        ({ id, keyword, whole_word: isWhole }, index) =>
          html`<div class="pair word">
            ${id === undefined ? '' : html`<input type="hidden" name="keywords[${index}][id]" value="${id}" />`}
            <input
              name="keywords[${index}][keyword]"
              value="${keyword}"
              maxlength="512"
              aria-label="${t.word({ number: index + 1 })}"
            />
            ${renderCheckbox({
              name: `keywords[${index}][whole_word]`,
              label: t.wholeWord,
              checked: isWhole,
            })}
          </div>`,
      ),
    ],
  })
}
