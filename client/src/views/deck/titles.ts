import type { List } from '#entities/list.ts'
import { t } from '../../core/texts.ts'
import type { Column, PlainKind } from './columns.ts'
import type { IconName } from '../../parts/controls/icon.tsx'

export const icons: Readonly<Record<Column['kind'], IconName>> = {
  home: 'home',
  notifications: 'bell',
  local: 'people',
  everything: 'globe',
  remote: 'globe',
  bookmarks: 'bookmark',
  favourites: 'star',
  list: 'list',
  tag: 'hash',
}

export const titleOfKind = (kind: PlainKind): string =>
  kind === 'notifications' ? t.notifications.title : t.timeline[kind]

/** `lists`: those of the viewer, as far as they are known. */
export function titleOf(column: Column, lists: readonly List[] = []): string {
  if (column.kind === 'tag') return `#${column.about}`
  if (column.kind === 'list') return lists.find(({ id }) => id === column.about)?.title ?? t.timeline.list
  return titleOfKind(column.kind)
}

const addresses: Readonly<Record<PlainKind, string>> = {
  home: '/home',
  notifications: '/notifications',
  local: '/public/local',
  everything: '/public',
  remote: '/public/remote',
  bookmarks: '/bookmarks',
  favourites: '/favourites',
}

/** Where it is shown alone. */
export function addressOf(column: Column): string {
  if (column.kind === 'tag') return `/tags/${encodeURIComponent(column.about)}`
  return column.kind === 'list' ? `/lists/${column.about}` : addresses[column.kind]
}
