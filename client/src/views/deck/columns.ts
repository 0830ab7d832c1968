// The columns of the deck: which timelines stand beside each other, and in which order. Kept by the server, so that they are
// the same on every device.
import type { Columns } from '#entities/personal/columns.ts'
import { computed } from '@preact/signals'
import { put } from '../../api/client.ts'
import { listen } from '../../api/streaming.ts'
import { act } from '../../data/act.ts'
import { change, invalidate, queryState } from '../../data/query.ts'

type Kind = NonNullable<Columns['columns']>[number]['kind']

export const plainKinds = [
  'notifications',
  'home',
  'local',
  'everything',
  'remote',
  'bookmarks',
  'favourites',
  'conversations',
] as const satisfies readonly Kind[]
const aboutKinds = ['list', 'tag', 'account', 'search'] as const satisfies readonly Kind[]

export type PlainKind = (typeof plainKinds)[number]

export type AboutKind = (typeof aboutKinds)[number]

/** `about`: the id of a list, the name of a tag, a handle without its first @, or what is looked for. */
export type Column = { kind: PlainKind } | { kind: AboutKind; about: string }

/** Each stands there once. */
export const idOf = (column: Column): string =>
  'about' in column ? `${column.kind}:${column.about}` : column.kind

const usual: readonly Column[] = [{ kind: 'home' }, { kind: 'notifications' }, { kind: 'local' }]

export const columnsPath = '/api/v1/columns'
const kept = queryState<Columns>(columnsPath)

/** From left to right, where that is how people read. What no column can be made of is left out. */
export const columns = computed<readonly Column[]>(() => kept.value.data?.columns?.filter(isColumn) ?? usual)

/** A newer server may know others, and so may what was kept for when there is no network. */
function isColumn(value: unknown): value is Column {
  const { kind, about } = (value ?? {}) as { kind?: unknown; about?: unknown }
  if (aboutKinds.some((one) => one === kind)) return typeof about === 'string' && about !== ''
  return plainKinds.some((one) => one === kind)
}

/** What was chosen last is what is kept: one after the other. */
let sent: Promise<unknown> = Promise.resolve()

export function setColumns(next: readonly Column[]): void {
  const send = () => put<Columns>(columnsPath, { body: { columns: next } })
  void act({
    show: () => change<Columns>(columnsPath, () => ({ columns: next })),
    ask: () => {
      const answer = sent.then(send)
      sent = answer.catch(() => {})
      return answer
    },
  })
}

/** Puts a column at the end, unless it is there already. */
export function addColumn(column: Column): void {
  const now = columns.peek()
  if (!now.some((one) => idOf(one) === idOf(column))) setColumns([...now, column])
}

export const removeColumn = (id: string): void => setColumns(columns.peek().filter((one) => idOf(one) !== id))

/** Puts a column where another one stands now. */
export function moveColumn(id: string, to: number): void {
  const rest = columns.peek().filter((one) => idOf(one) !== id)
  const moved = columns.peek().find((one) => idOf(one) === id)
  if (moved) setColumns(rest.toSpliced(to, 0, moved))
}

/** They may be changed on another device. What was changed here is kept before it is looked at again. */
export function followColumns(): () => void {
  const ask = () => void sent.then(() => invalidate(columnsPath))
  const look = () => {
    if (!document.hidden) ask()
  }
  document.addEventListener('visibilitychange', look)
  const stop = listen(
    { stream: 'user' },
    { event: (name) => name === 'columns_changed' && ask(), resync: (isFirst) => !isFirst && ask() },
  )
  return () => {
    document.removeEventListener('visibilitychange', look)
    stop()
  }
}
