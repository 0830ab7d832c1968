import { useState } from 'preact/hooks'
import type { List } from '#entities/list.ts'
import { t } from '../../core/texts.ts'
import { addColumn, columns, idOf, plainKinds, type Column } from './columns.ts'
import { Dialog } from '../../parts/controls/dialog.tsx'
import { Field } from '../../parts/controls/field.tsx'
import { Form } from '../../parts/controls/form.tsx'
import { Icon } from '../../parts/controls/icon.tsx'
import rowCss from '../../parts/controls/row.module.css'
import css from './deck.module.css'
import { icons, titleOf } from './titles.ts'

export interface AddColumnDialogProps {
  lists: readonly List[] | undefined
  onAdded: (id: string) => void
  onClose: () => void
}

/** What is not among the columns yet, and any tag, person or search. */
export function AddColumnDialog({ lists = [], onAdded, onClose }: AddColumnDialogProps) {
  const known = new Set(columns.value.map(idOf))
  const offered: Column[] = [
    ...plainKinds.map((kind) => ({ kind })),
    ...lists.map(({ id }) => ({ kind: 'list' as const, about: id })),
  ]
  const add = (column: Column) => {
    addColumn(column)
    onAdded(idOf(column))
    onClose()
  }
  return (
    <Dialog title={t.deck.add} onClose={onClose}>
      <ul class={css['offered']}>
        {offered
          .filter((column) => !known.has(idOf(column)))
          .map((column) => (
            <li key={idOf(column)}>
              <button type="button" class={rowCss['row']} onClick={() => add(column)}>
                <Icon name={icons[column.kind]} />
                <bdi>{titleOf(column, lists)}</bdi>
              </button>
            </li>
          ))}
      </ul>
      <AboutForm
        action={t.deck.addTag}
        label={t.deck.tag}
        pattern="#?[^\s#]+"
        onAdd={(about) => add({ kind: 'tag', about: about.replace(/^#/, '') })}
      />
      <AboutForm
        action={t.deck.addPerson}
        label={t.deck.person}
        pattern="@?[^\s@]+(@[^\s@]+)?"
        onAdd={(about) => add({ kind: 'account', about: about.replace(/^@/, '') })}
      />
      <AboutForm
        action={t.deck.addSearch}
        label={t.deck.words}
        onAdd={(about) => add({ kind: 'search', about })}
      />
    </Dialog>
  )
}

interface AboutFormProps {
  action: string
  label: string
  pattern?: string
  /** What was typed, without spaces around it. */
  onAdd: (about: string) => void
}

function AboutForm({ action, label, pattern, onAdd }: AboutFormProps) {
  const [typed, setTyped] = useState('')
  return (
    <Form
      action={action}
      label={action}
      onSend={async () => {
        if (typed.trim() !== '') onAdd(typed.trim())
      }}
    >
      <Field
        label={label}
        dir="auto"
        autoCapitalize="none"
        required
        {...(pattern !== undefined && { pattern })}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </Form>
  )
}
