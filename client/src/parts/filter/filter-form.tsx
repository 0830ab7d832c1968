// A filter as it is written: its name, its words, where it is for, until when, and what it does.
import { useState } from 'preact/hooks'
import type { Filter } from '#entities/filter.ts'
import { formatDateTime, formatDuration } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import {
  actions,
  contexts,
  emptyForm,
  formOf,
  saveFilter,
  type FilterForm as Form,
  type KeywordForm,
} from '../../data/filters.ts'
import { Button } from '../controls/button.tsx'
import { Check, Choices, Field, Select } from '../controls/field.tsx'
import { Form as SentForm } from '../controls/form.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import css from './filter.module.css'

export interface FilterFormProps {
  /** The one that is changed; null for a new one. */
  filter: Filter | null
  /** What a new one begins with. */
  keywords?: readonly KeywordForm[]
  /** It is for a post: it needs no word. */
  isForPost?: boolean
  onSaved: (filter: Filter) => unknown
  onCancel: () => void
}

const hour = 3_600
const day = 24 * hour
const spans = [hour / 2, hour, 6 * hour, 12 * hour, day, 7 * day] as const

const noKeyword: KeywordForm = { keyword: '', wholeWord: true }

export function FilterForm({ filter, keywords, isForPost = false, onSaved, onCancel }: FilterFormProps) {
  const [form, setForm] = useState<Form>(() =>
    filter ? formOf(filter) : emptyForm(keywords ?? (isForPost ? [] : [noKeyword])),
  )
  const set = (part: Partial<Form>) => setForm({ ...form, ...part })
  return (
    <SentForm
      action={t.filters.save}
      onCancel={onCancel}
      onSend={async () => onSaved(await saveFilter(form, filter))}
    >
      <Field
        label={t.filters.title}
        hint={t.filters.titleHint}
        dir="auto"
        maxLength={256}
        value={form.title}
        onInput={(event) => set({ title: event.currentTarget.value })}
      />
      <Keywords keywords={form.keywords} set={(next) => set({ keywords: next })} />
      <Choices
        legend={t.filters.action}
        options={actions.map((value) => ({
          value,
          label: t.filters.actions[value],
          hint: t.filters.actionHints[value],
        }))}
        value={form.action}
        onChange={(action) => set({ action })}
      />
      <fieldset class={css['contexts']}>
        <legend>{t.filters.where}</legend>
        {contexts.map((context) => (
          <Check
            key={context}
            label={t.filters.contexts[context]}
            checked={form.context.includes(context)}
            onChange={() =>
              set({
                context: contexts.filter((one) => form.context.includes(one) !== (one === context)),
              })
            }
          />
        ))}
      </fieldset>
      <Expiry filter={filter} form={form} set={set} />
    </SentForm>
  )
}

interface KeywordsProps {
  keywords: readonly KeywordForm[]
  set: (keywords: readonly KeywordForm[]) => void
}

function Keywords({ keywords, set }: KeywordsProps) {
  const change = (index: number, part: Partial<KeywordForm>) =>
    set(keywords.map((one, at) => (at === index ? { ...one, ...part } : one)))
  return (
    <fieldset class={css['keywords']}>
      <legend>{t.filters.keywords}</legend>
      {keywords.map((one, index) => (
        <div key={one.id ?? index} class={css['keyword']}>
          <Field
            label={t.filters.keyword({ number: index + 1 })}
            dir="auto"
            maxLength={512}
            value={one.keyword}
            onInput={(event) => change(index, { keyword: event.currentTarget.value })}
          />
          <Check
            label={t.filters.wholeWord}
            checked={one.wholeWord}
            onChange={(event) => change(index, { wholeWord: event.currentTarget.checked })}
          />
          <IconButton
            icon="close"
            label={t.filters.removeKeyword({ number: index + 1 })}
            onClick={() => set(keywords.filter((_one, at) => at !== index))}
          />
        </div>
      ))}
      <Button onClick={() => set([...keywords, noKeyword])}>{t.filters.addKeyword}</Button>
    </fieldset>
  )
}

interface ExpiryProps {
  filter: Filter | null
  form: Form
  set: (part: Partial<Form>) => void
}

/** Until when it holds. What is there already stays unless another span is chosen. */
function Expiry({ filter, form: { expiresIn }, set }: ExpiryProps) {
  const until = filter?.expires_at ?? null
  const stays: [string, string][] =
    until === null ? [] : [['', t.filters.until({ time: formatDateTime(until) })]]
  const chosen = expiresIn === undefined && until !== null ? '' : String(expiresIn ?? 'never')
  return (
    <Select
      label={t.filters.expiry}
      value={chosen}
      options={[
        ...stays,
        ['never', t.filters.never],
        ...spans.map((span): [string, string] => [String(span), formatDuration(span)]),
      ]}
      onChange={(value) => set({ expiresIn: expiryOf(value) })}
    />
  )
}

function expiryOf(value: string): Form['expiresIn'] {
  if (value === '') return undefined
  return value === 'never' ? null : Number(value)
}
