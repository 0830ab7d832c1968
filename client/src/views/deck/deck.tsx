// Timelines beside each other, of anyone's choice; where there is no room, one of them.
import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Columns } from '#entities/personal/columns.ts'
import type { List } from '#entities/list.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import {
  columns,
  columnsPath,
  followColumns,
  idOf,
  moveColumn,
  removeColumn,
  setColumns,
  type Column,
} from './columns.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { Button } from '../../parts/controls/button.tsx'
import { positionNow, restorePosition, type Position } from '../../router/position.ts'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { AddColumnDialog } from './add-dialog.tsx'
import { DeckColumn } from './column.tsx'
import css from './deck.module.css'
import { titleOf } from './titles.ts'

const narrow = matchMedia('(max-width: 44rem)')
const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', ({ matches }) => (isNarrow.value = matches))
/** Which one is shown where there is room for one. */
const chosen = signal<string | null>(null)

export function Deck() {
  const { data, error } = useQuery<Columns>(columnsPath)
  useEffect(followColumns, [])
  const [isAdding, setAdding] = useState(false)
  const { data: lists } = useQuery<List[]>('/api/v1/lists')
  const all = columns.value
  const one = all.find((column) => idOf(column) === chosen.value) ?? all[0]
  const shown = isNarrow.value && one ? [one] : all
  if (!data)
    return (
      <>
        <PageHeading title={t.deck.title} />
        {error !== null && <Problem text={error} onRetry={() => invalidate(columnsPath)} />}
      </>
    )
  return (
    <>
      <PageHeading title={t.deck.title}>
        <Button onClick={() => setAdding(true)}>{t.deck.add}</Button>
      </PageHeading>
      {isNarrow.value && all.length > 1 && (
        <div class={css['choice']} role="group" aria-label={t.deck.title}>
          {all.map((column) => (
            <button
              key={idOf(column)}
              type="button"
              aria-pressed={column === one}
              onClick={() => (chosen.value = idOf(column))}
            >
              <bdi>{titleOf(column, lists)}</bdi>
            </button>
          ))}
        </div>
      )}
      <DeckColumns shown={shown} lists={lists} />
      {all.length === 0 && <p class={css['empty']}>{t.deck.empty}</p>}
      {isAdding && (
        <AddColumnDialog
          lists={lists}
          onAdded={(id) => (chosen.value = id)}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

interface ColumnsProps {
  shown: readonly Column[]
  lists: readonly List[] | undefined
}

function DeckColumns({ shown, lists }: ColumnsProps) {
  const { deck, keepingPositions } = useSteadyColumns()
  const dragged = useRef<string | null>(null)
  const all = columns.value
  const move = (column: Column, to: number) => {
    keepingPositions(idOf(column), () => moveColumn(idOf(column), to))
    tell(t.deck.moved({ title: titleOf(column, lists), place: to + 1, count: all.length }))
  }
  const remove = (column: Column) => {
    keepingPositions(null, () => removeColumn(idOf(column)))
    tell(t.deck.removed({ title: titleOf(column, lists) }), 'done', {
      label: t.compose.undo,
      run: () => keepingPositions(idOf(column), () => setColumns(all)),
    })
  }
  const drop = (to: number) => {
    const column = all.find((one) => idOf(one) === dragged.current)
    dragged.current = null
    if (column && all.indexOf(column) !== to) move(column, to)
  }
  return (
    <div ref={deck} class={css['deck']}>
      {shown.map((column) => {
        const place = all.indexOf(column)
        return (
          <DeckColumn
            key={idOf(column)}
            column={column}
            title={titleOf(column, lists)}
            onEarlier={place > 0 ? () => move(column, place - 1) : null}
            onLater={place < all.length - 1 ? () => move(column, place + 1) : null}
            onRemove={() => remove(column)}
            onDrag={() => (dragged.current = idOf(column))}
            onDrop={() => drop(place)}
          />
        )
      })}
    </div>
  )
}

/** What is put elsewhere in the document loses its position and the focus: both are given back. */
function useSteadyColumns() {
  const deck = useRef<HTMLDivElement>(null)
  const before = useRef<{ positions: [HTMLElement, Position][]; focus: string | null } | null>(null)
  const keepingPositions = (focus: string | null, work: () => void) => {
    const scrollers = [...(deck.current?.querySelectorAll<HTMLElement>('[data-column] > div') ?? [])]
    const positions = scrollers.flatMap((one): [HTMLElement, Position][] => {
      const position = positionNow(one)
      return position ? [[one, position]] : []
    })
    before.current = { positions, focus }
    work()
  }
  useLayoutEffect(() => {
    const { positions, focus } = before.current ?? {}
    before.current = null
    // Heights too: posts that are not in sight are as high as they are taken to be again.
    for (const [scroller, position] of positions ?? []) restorePosition(position, scroller)
    if (focus === undefined || focus === null) return
    const column = deck.current?.querySelector(`[data-column="${CSS.escape(focus)}"]`)
    column?.querySelector<HTMLElement>('header button')?.focus()
    column?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [columns.value])
  return { deck, keepingPositions }
}
