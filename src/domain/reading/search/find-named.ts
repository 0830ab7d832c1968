import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { findAccountByHandle } from '#domain/identity/accounts/queries.ts'
import { collectionsIn } from '#domain/content/statuses/publish/named-collections.ts'
import { readHandle } from '#domain/identity/accounts/lookup.ts'
import { visibleTo } from '#domain/content/statuses/visibility.ts'
import { atOwnHost } from '#domain/server/instance/urls.ts'
import { readStatusUrl } from './read-status-url.ts'
import type { AccountId, CollectionId, StatusId } from '#lib/id.ts'

/** What a text names as a whole. Whether the viewer may see it is another question. */
export type Named =
  | { kind: 'account'; id: AccountId }
  | { kind: 'status'; id: StatusId }
  | { kind: 'collection'; id: CollectionId }

/**
 * What a text names by its address or, with a domain, by its handle, as far as this server knows it; null for anything
 * else. It asks no other server: what is to be fetched is fetched before, and is then known.
 */
export async function findNamed(reader: Reader, text: string): Promise<Named | null> {
  if (/^https?:\/\/[^\s]+$/i.test(text))
    return text.length > maxUrl ? null : findByUrl(reader, atOwnHost(reader.config, text))
  if (!/^@?[^@\s]+@[^@\s]+$/.test(text)) return null
  return accountOf(reader, text)
}

const maxUrl = 2048

/** Whether a text is an address, so that it is looked for as nothing else when it names something. */
export const isUrl = (text: string) => /^https?:\/\/\S+$/i.test(text)

async function findByUrl(reader: Reader, url: string): Promise<Named | null> {
  if (url.startsWith(`${reader.config.baseUrl}/`)) return findOwn(reader, url)
  const { rows } = await sql<Named>`
    select 'status' as kind, id from statuses where uri = ${url}
    union all select 'status', id from statuses where url = ${url}
    union all select 'account', id from accounts where uri = ${url}
    union all (select 'account', id from accounts where url = ${url} order by id desc limit 1)
    limit 1`.execute(reader.db)
  return rows[0] ?? null
}

async function findOwn(reader: Reader, url: string): Promise<Named | null> {
  const status = readStatusUrl(reader.config, url)
  if (status !== null) return { kind: 'status', id: status }
  const [collection] = collectionsIn(reader.config, url)
  if (collection !== undefined) return { kind: 'collection', id: collection }
  const [path = ''] = url.slice(reader.config.baseUrl.length).split(/[?#]/, 1)
  const handle = /^\/(?:@|users\/)([^/]+)\/?$/.exec(path)?.[1]
  return handle === undefined ? null : accountOf(reader, handle)
}

async function accountOf(reader: Reader, text: string): Promise<Named | null> {
  const handle = readHandle(reader.config, text)
  const account = handle && (await findAccountByHandle(reader, handle.username, handle.domain))
  return account ? { kind: 'account', id: account.id } : null
}

/** The page that an account of another server, or what everybody may see of its posts, has there; null when unknown. */
export async function findRemotePage(
  reader: Reader,
  accountId: AccountId,
  statusId: StatusId | null,
): Promise<string | null> {
  const page =
    statusId === null
      ? sql`coalesce(a.url, a.uri)`
      : sql`(select coalesce(s.url, s.uri) from statuses s
        where s.id = ${statusId} and s.account_id = a.id and ${visibleTo(null, 's', 'a')})`
  const { rows } = await sql<{ page: string | null }>`
    select ${page} as page from accounts a
    where a.id = ${accountId} and a.domain is not null and a.suspended_at is null and a.deleted_at is null`.execute(
    reader.db,
  )
  return rows[0]?.page ?? null
}
