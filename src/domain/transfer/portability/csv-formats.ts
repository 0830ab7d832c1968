// The files by which people take their lists from server to server, in Mastodon's columns
// (https://docs.joinmastodon.org/user/moving/).
import type { Config } from '#ports/ctx.ts'
import { readHandle } from '#domain/identity/accounts/lookup.ts'
import { normaliseDomain, normaliseUsername } from '#lib/acct.ts'

export const portableLists = [
  'following',
  'muting',
  'blocking',
  'domain_blocking',
  'lists',
  'bookmarks',
] as const

export type PortableList = (typeof portableLists)[number]

/** One line of a file, as far as its kind has it. */
export interface PortableRow {
  /** `user` or `user@domain`; read from a file in the spelling in which accounts are kept, but for its lower case. */
  acct?: string
  showReblogs?: boolean
  notify?: boolean
  languages?: string[]
  hideNotifications?: boolean
  domain?: string
  listTitle?: string
  /** Of a status. */
  uri?: string
  /** A line that cannot be read, as far as it is kept. */
  unread?: string
}

/** The first line of a file; null where Mastodon writes none. */
export const headers: Readonly<Record<PortableList, readonly string[] | null>> = {
  following: ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
  muting: ['Account address', 'Hide notifications'],
  blocking: null,
  domain_blocking: null,
  lists: null,
  bookmarks: null,
}

/** Names by which Mastodon offers the files. */
export const fileNames: Readonly<Record<PortableList, string>> = {
  following: 'following_accounts.csv',
  muting: 'muted_accounts.csv',
  blocking: 'blocked_accounts.csv',
  domain_blocking: 'blocked_domains.csv',
  lists: 'lists.csv',
  bookmarks: 'bookmarks.csv',
}

/** A row as the cells of a line. Local accounts have the domain of this server there. */
export function toCells(type: PortableList, row: PortableRow, localDomain: string): string[] {
  if (row.unread !== undefined) return [row.unread]
  const acct = row.acct === undefined ? '' : row.acct.includes('@') ? row.acct : `${row.acct}@${localDomain}`
  const word = (value: boolean | undefined) => (value ? 'true' : 'false')
  switch (type) {
    case 'following':
      return [acct, word(row.showReblogs), word(row.notify), (row.languages ?? []).join(', ')]
    case 'muting':
      return [acct, word(row.hideNotifications)]
    case 'blocking':
      return [acct]
    case 'domain_blocking':
      return [row.domain ?? '']
    case 'lists':
      return [row.listTitle ?? '', acct]
    case 'bookmarks':
      return [row.uri ?? '']
  }
}

/** Names of columns, as Mastodon and older versions of it write them, and what they mean. */
const columnNames = new Map<string, keyof PortableRow>([
  ['account address', 'acct'],
  ['show boosts', 'showReblogs'],
  ['notify on new posts', 'notify'],
  ['languages', 'languages'],
  ['hide notifications', 'hideNotifications'],
  ['#domain', 'domain'],
  ['domain', 'domain'],
  ['list name', 'listTitle'],
  ['#uri', 'uri'],
])

/** The columns of files that do not name them. */
export const withoutHeader: Readonly<Record<PortableList, readonly (keyof PortableRow)[]>> = {
  following: ['acct', 'showReblogs', 'notify', 'languages'],
  muting: ['acct', 'hideNotifications'],
  blocking: ['acct'],
  domain_blocking: ['domain'],
  lists: ['listTitle', 'acct'],
  bookmarks: ['uri'],
}

/** What the cells of lines mean, told by the first line; `isHeader` when that is no data itself. */
export function readColumns(
  type: PortableList,
  first: readonly string[],
): { columns: readonly (keyof PortableRow | null)[]; isHeader: boolean } {
  const named = first.map((cell) => columnNames.get(cell.trim().toLowerCase()) ?? null)
  return named[0] === null || named[0] === undefined
    ? { columns: withoutHeader[type], isHeader: false }
    : { columns: named, isHeader: true }
}

/** A line as a row; null when what it is about is missing or malformed. */
export function parseCells(
  type: PortableList,
  cells: readonly string[],
  { columns, config }: { columns: readonly (keyof PortableRow | null)[]; config: Config },
): PortableRow | null {
  const cell = (name: keyof PortableRow) => {
    const index = columns.indexOf(name)
    return index < 0 ? '' : (cells[index] ?? '').trim()
  }
  if (type === 'domain_blocking') return readDomain(cell('domain'))
  if (type === 'bookmarks') return readUri(cell('uri'))
  const acct = readAcct(cell('acct'), config)
  if (acct === null) return null
  if (type === 'blocking') return { acct }
  if (type === 'muting') return { acct, hideNotifications: isTrue(cell('hideNotifications'), true) }
  if (type === 'lists') {
    const listTitle = cell('listTitle')
    return listTitle === '' ? null : { acct, listTitle }
  }
  const languages = cell('languages')
    .split(/[,\s]+/)
    .filter((language) => language !== '')
  return {
    acct,
    showReblogs: isTrue(cell('showReblogs'), true),
    notify: isTrue(cell('notify'), false),
    ...(languages.length > 0 && { languages }),
  }
}

function readAcct(text: string, config: Config): string | null {
  const handle = readHandle(config, text)
  if (!handle) return null
  const username = normaliseUsername(handle.username)
  return handle.domain === null ? username : `${username}@${handle.domain}`
}

function readDomain(text: string): PortableRow | null {
  return /^[^\s/@]+\.[^\s/@]+$/.test(text) ? { domain: normaliseDomain(text) ?? text.toLowerCase() } : null
}

function readUri(text: string): PortableRow | null {
  return /^https?:\/\/\S+$/.test(text) && Buffer.byteLength(text) <= uriBytes ? { uri: text } : null
}

/** More than addresses have, and little enough for an index. */
const uriBytes = 2048

const isTrue = (text: string, otherwise: boolean) =>
  text === '' ? otherwise : /^(?:true|1|t|yes)$/i.test(text)
