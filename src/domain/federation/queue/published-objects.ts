// What the documents of this server are made of: local accounts and statuses as other servers may have them.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { actorUri, statusUri } from '#domain/server/instance/urls.ts'
import { visibleTo, visibleWithOriginal } from '#domain/content/statuses/visibility.ts'
import type { AccountId, AnyId, ConversationId, IdCursor, StatusId } from '#lib/id.ts'

export interface ServedAccount {
  id: AccountId
  username: string
  suspended: boolean
  deleted: boolean
  hide_collections: boolean
  followers_count: number
  following_count: number
  statuses_count: number
}

/** The local account of a name that has been let in, also when it is suspended or gone. */
export async function findServedAccount(reader: Reader, username: string): Promise<ServedAccount | null> {
  const { rows } = await sql<ServedAccount>`
    select a.id, a.username, a.suspended_at is not null as suspended, a.deleted_at is not null as deleted,
      coalesce(a.hide_collections, false) as hide_collections, coalesce(t.followers_count, 0) as followers_count,
      coalesce(t.following_count, 0) as following_count, coalesce(t.statuses_count, 0) as statuses_count
    from accounts a left join users u on u.account_id = a.id left join account_stats t on t.account_id = a.id
    where lower(a.username) = lower(${username}) and coalesce(a.domain, '') = ''
      and (a.deleted_at is not null or (u.confirmed_at is not null and u.approved))`.execute(reader.db)
  return rows[0] ?? null
}

export interface ServedStatus {
  id: StatusId
  account_id: AccountId
  reblog_of_id: StatusId | null
  /** Public or unlisted, and not for this server's people alone. */
  open: boolean
  deleted: boolean
  /** Its author blocks somebody. */
  author_blocks: boolean
  /** This asker may see it now. */
  visible: boolean
}

/** A local status of this author by its id; `visible` by the visibility gate, for whoever asks. */
export async function findServedStatus(
  reader: Reader,
  { id, username }: { id: StatusId; username: string },
  askerId: AccountId | null,
): Promise<ServedStatus | null> {
  const { rows } = await sql<ServedStatus>`
    select s.id, s.account_id, s.reblog_of_id, s.deleted_at is not null as deleted,
      s.visibility in ('public', 'unlisted') and not s.local_only as open,
      exists (select 1 from blocks b where b.account_id = s.account_id) as author_blocks, ${visibleWithOriginal(askerId, 's')} as visible
    from statuses s join accounts a on a.id = s.account_id
    where s.id = ${id} and s.local and lower(a.username) = lower(${username})`.execute(reader.db)
  return rows[0] ?? null
}

interface UriRow<Id extends AnyId> {
  cursor: IdCursor
  id: Id
  uri: string | null
  username: string
}

/** Addresses of followers or of the followed, the newest follow first. Cursors are those of the follows. */
export async function listFollowUris(
  reader: Reader,
  { accountId, side }: { accountId: AccountId; side: 'followers' | 'following' },
  page: PageRequest,
): Promise<Page<string>> {
  const [own, other] =
    side === 'followers' ? ['target_account_id', 'account_id'] : ['account_id', 'target_account_id']
  const { rows } = await sql<UriRow<AccountId>>`
    select f.id as cursor, a.id, a.uri, a.username from follows f join accounts a on a.id = f.${sql.ref(other as string)}
    where f.${sql.ref(own as string)} = ${accountId} and a.suspended_at is null and a.deleted_at is null
      and ${inPage('f.id', page)} ${orderAndLimit('f.id', page)}`.execute(reader.db)
  return uriPage(rows, page, (row) => row.uri ?? actorUri(reader.config, row.username))
}

/** Replies to a status that everybody may see: its author's own, or those of others; oldest first when read upwards. */
export function listReplyUris(
  reader: Reader,
  { statusId, accountId, own }: { statusId: StatusId; accountId: AccountId; own: boolean },
  page: PageRequest,
): Promise<Page<string>> {
  const by = own ? sql<boolean>`s.account_id = ${accountId}` : sql<boolean>`s.account_id <> ${accountId}`
  return listStatusUris(reader, sql`s.in_reply_to_id = ${statusId} and ${by}`, page)
}

/** All of a thread that everybody may see (FEP-7888). */
export function listThreadUris(
  reader: Reader,
  conversationId: ConversationId,
  page: PageRequest,
): Promise<Page<string>> {
  return listStatusUris(reader, sql`s.conversation_id = ${conversationId} and s.reblog_of_id is null`, page)
}

async function listStatusUris(
  reader: Reader,
  which: RawBuilder<unknown>,
  page: PageRequest,
): Promise<Page<string>> {
  const { rows } = await sql<UriRow<StatusId>>`
    select s.id as cursor, s.id, s.uri, a.username from statuses s join accounts a on a.id = s.account_id
    where ${which} and ${visibleTo(null, 's', 'a')} and ${inPage('s.id', page)} ${orderAndLimit('s.id', page)}`.execute(
    reader.db,
  )
  return uriPage(rows, page, (row) => row.uri ?? statusUri(reader.config, row.username, row.id))
}

function uriPage<Id extends AnyId>(
  rows: readonly UriRow<Id>[],
  page: PageRequest,
  uriOf: (row: UriRow<Id>) => string,
): Page<string> {
  const found = toPage(rows, page, (row) => row.cursor)
  return { ...found, items: found.items.map(uriOf) }
}

/** How often a status was favourited and boosted. */
export async function countReactions(
  reader: Reader,
  statusId: StatusId,
): Promise<{ favourites: number; reblogs: number }> {
  const { rows } = await sql<{ favourites: number; reblogs: number }>`
    select favourites_count as favourites, reblogs_count as reblogs from status_stats
    where status_id = ${statusId}`.execute(reader.db)
  return rows[0] ?? { favourites: 0, reblogs: 0 }
}

export interface Stamp {
  quotingUri: string
  quotedUri: string
}

/** The consent of this local author to be quoted by a status, while it holds. What is not open to all has none. */
export async function findStamp(
  reader: Reader,
  username: string,
  quotingId: StatusId,
): Promise<Stamp | null> {
  const { rows } = await sql<{
    uri: string | null
    quoting_name: string
    quoted_id: StatusId
    username: string
  }>`
    select s.uri, sa.username as quoting_name, q.quoted_status_id as quoted_id, a.username
    from quotes q join statuses s on s.id = q.status_id and s.deleted_at is null
    join accounts sa on sa.id = s.account_id
    join statuses o on o.id = q.quoted_status_id and o.local
    join accounts a on a.id = o.account_id
    where ${visibleTo(null, 'o', 'a')} and q.status_id = ${quotingId} and q.state = 'accepted' and lower(a.username) = lower(${username})`.execute(
    reader.db,
  )
  const row = rows[0]
  if (!row) return null
  const { config } = reader
  return {
    quotingUri: row.uri ?? statusUri(config, row.quoting_name, quotingId),
    quotedUri: statusUri(config, row.username, row.quoted_id),
  }
}

/** Whether a local account blocks another one. */
export async function isBlockedBy(
  reader: Reader,
  accountId: AccountId,
  otherId: AccountId,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from blocks where account_id = ${accountId} and target_account_id = ${otherId}`.execute(
    reader.db,
  )
  return rows.length > 0
}
