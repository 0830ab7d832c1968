// The columns of the deck: which timelines stand beside each other, and in which order. Of the account, in this browser.
import { signal } from '@preact/signals'
import { account } from '../../data/session.ts'

const timelineKinds = ['home', 'local', 'everything', 'remote', 'bookmarks', 'favourites'] as const
export const plainKinds = ['notifications', ...timelineKinds] as const

export type TimelineKind = (typeof timelineKinds)[number]
export type PlainKind = (typeof plainKinds)[number]

/** `about`: the id of a list, or the name of a tag. */
export type TimelineColumn = { kind: TimelineKind } | { kind: 'list' | 'tag'; about: string }
export type Column = TimelineColumn | { kind: 'notifications' }

/** Each stands there once. */
export const idOf = (column: Column): string =>
  'about' in column ? `${column.kind}:${column.about}` : column.kind

const usual: readonly Column[] = [{ kind: 'home' }, { kind: 'notifications' }, { kind: 'local' }]

/** From left to right, where that is how people read. */
export const columns = signal<readonly Column[]>(usual)

const storageName = () => `deck:${account.peek().data?.id ?? ''}`

/** Takes what is kept; what no column can be made of is left out. */
export function loadColumns(): void {
  const text = localStorage.getItem(storageName())
  const kept: unknown = text === null ? null : JSON.parse(text)
  columns.value = Array.isArray(kept) ? kept.filter(isColumn) : usual
}

function isColumn(value: unknown): value is Column {
  const { kind, about } = (value ?? {}) as { kind?: unknown; about?: unknown }
  if (kind === 'list' || kind === 'tag') return typeof about === 'string' && about !== ''
  return plainKinds.some((one) => one === kind)
}

export function setColumns(next: readonly Column[]): void {
  columns.value = next
  localStorage.setItem(storageName(), JSON.stringify(next))
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
