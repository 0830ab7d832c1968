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

/** What is not among the columns yet, and any tag. */
export function AddColumnDialog({ lists = [], onAdded, onClose }: AddColumnDialogProps) {
  const [tag, setTag] = useState('')
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
  const name = tag.trim().replace(/^#/, '')
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
      <Form
        action={t.deck.addTag}
        label={t.deck.addTag}
        onSend={async () => {
          if (name !== '') add({ kind: 'tag', about: name })
        }}
      >
        <Field
          label={t.deck.tag}
          dir="auto"
          autoCapitalize="none"
          required
          pattern="#?[^\s#]+"
          value={tag}
          onInput={(event) => setTag(event.currentTarget.value)}
        />
      </Form>
    </Dialog>
  )
}
