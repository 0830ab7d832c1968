// The page before what cannot be undone, or is done to many.
import { html } from 'hono/html'
import { isTree } from '#http/kit/params/params.ts'
import { AppError } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { hiddenFields } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import type { DeskCall } from './admin-page.ts'
import { renderDesk } from './desk.ts'

export interface Confirmation {
  title: string
  /** What will happen, each in a sentence. */
  consequences: readonly (Html | string)[]
  /** What it happens to, where they are many. */
  subjects?: readonly (Html | string)[]
  /** Where it is done, with what is sent along. */
  action: string
  hidden?: Record<string, string>
  ids?: readonly string[]
  /** Further fields. */
  fields?: Html
  submit: string
  /** Where who changes their mind goes. */
  back: string
  /** 200 unless given. */
  status?: number
}

/** Says what will happen, with the button that has it happen and the way back. */
export function renderConfirm(call: DeskCall, confirmation: Confirmation): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const { consequences, subjects = [], ids = [] } = confirmation
  const body = html`<div class="panel">
    <ul class="consequences">
      ${consequences.map((one) => html`<li>${one}</li>`)}
    </ul>
    ${
      subjects.length === 0
        ? ''
        : html`<h2>${t.concerns({ count: subjects.length })}</h2>
            <ul class="subjects">
              ${subjects.map((one) => html`<li>${one}</li>`)}
            </ul>`
    }
    <form method="post" action="${confirmation.action}">
      ${hiddenFields(call.ctx, call.browser, confirmation.hidden)}
      ${ids.map((id) => html`<input type="hidden" name="ids[]" value="${id}" />`)}
      ${confirmation.fields ?? ''}
      <div class="actions">
        <button type="submit" class="main alarming">${confirmation.submit}</button>
        <a class="button quiet" href="${confirmation.back}">${t.back}</a>
      </div>
    </form>
  </div>`
  const { status } = confirmation
  return renderDesk(call, { title: confirmation.title, body, ...(status !== undefined && { status }) })
}

/** Rows that one form may name. */
const maxIds = 200

/** The ids of the rows that were ticked, of which one is needed. Throws `invalid`. */
export function requireTicked(call: DeskCall): string[] {
  const ids = tickedIds(call)
  if (ids.length === 0) throw new AppError('invalid', { said: textsIn(call.language).pages.admin.noneTicked })
  return ids
}

/** The ids of the rows that were ticked. `fits`: what is one, where that is not what ids of rows are. */
export function tickedIds(call: DeskCall, fits: (text: string) => boolean = isId): string[] {
  const given = call.params['ids']
  const values = Array.isArray(given) ? given : isTree(given) ? Object.values(given) : [given]
  const texts = values.filter((one): one is string => typeof one === 'string' && fits(one))
  return [...new Set(texts)].slice(0, maxIds)
}
