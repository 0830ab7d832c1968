import type { List } from '#entities/list.ts'
import { t } from '../../core/texts.ts'
import { withQuery } from '../../api/client.ts'
import type { AboutKind, Column, PlainKind } from './columns.ts'
import type { IconName } from '../../parts/controls/icon.tsx'

export const icons: Readonly<Record<Column['kind'], IconName>> = {
  home: 'home',
  notifications: 'bell',
  local: 'people',
  everything: 'globe',
  remote: 'globe',
  bookmarks: 'bookmark',
  favourites: 'star',
  conversations: 'mail',
  list: 'list',
  tag: 'hash',
  account: 'person',
  search: 'search',
}

export function titleOfKind(kind: PlainKind): string {
  if (kind === 'notifications') return t.notifications.title
  return kind === 'conversations' ? t.navigation.conversations : t.timeline[kind]
}

/** `lists`: those of the viewer, as far as they are known. */
export function titleOf(column: Column, lists: readonly List[] = []): string {
  if (!('about' in column)) return titleOfKind(column.kind)
  const { kind, about } = column
  if (kind === 'list') return lists.find(({ id }) => id === about)?.title ?? t.timeline.list
  return kind === 'tag'
    ? `#${about}`
    : kind === 'account'
      ? `@${about}`
      : t.search.resultsFor({ words: about })
}

const addresses: Readonly<Record<PlainKind, string>> = {
  home: '/home',
  notifications: '/notifications',
  local: '/public/local',
  everything: '/public',
  remote: '/public/remote',
  bookmarks: '/bookmarks',
  favourites: '/favourites',
  conversations: '/conversations',
}

const addressesAbout: Readonly<Record<AboutKind, (about: string) => string>> = {
  list: (id) => `/lists/${id}`,
  tag: (name) => `/tags/${encodeURIComponent(name)}`,
  account: (acct) => `/@${acct}`,
  search: (words) => withQuery('/search', { q: words, type: 'statuses' }),
}

/** Where it is shown alone. */
export const addressOf = (column: Column): string =>
  'about' in column ? addressesAbout[column.kind](column.about) : addresses[column.kind]
