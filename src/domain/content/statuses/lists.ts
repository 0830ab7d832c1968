import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { isUnblocked } from '#domain/identity/accounts/is-blocked.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import { visibleWithOriginal } from './visibility.ts'
import type { AccountId, IdCursor, StatusId } from '#lib/id.ts'

/** What the viewer favourited or bookmarked and may still see. The cursors are ids of the join record. */
export async function listMarked(
  reader: Reader,
  table: 'favourites' | 'bookmarks',
  viewerId: AccountId,
  page: PageRequest,
): Promise<Page<StatusId>> {
  const { rows } = await sql<{ id: StatusId; cursor: IdCursor }>`
    select s.id, m.id as cursor from ${sql.table(table)} m join statuses s on s.id = m.status_id
    where m.account_id = ${viewerId} and ${inPage('m.id', page)} and ${visibleWithOriginal(viewerId, 's')}
    ${orderAndLimit('m.id', page)}`.execute(reader.db)
  const found = toPage(rows, page, (row) => row.cursor)
  return { ...found, items: found.items.map((row) => row.id) }
}

/** Ids of statuses in the order asked for, those left out that the viewer may not see. */
export async function filterVisible(
  reader: Reader,
  viewerId: AccountId | null,
  ids: readonly StatusId[],
): Promise<StatusId[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from statuses s where s.id = any(${ids}::bigint[]) and ${visibleWithOriginal(viewerId, 's')}`.execute(
    reader.db,
  )
  const seen = new Set(rows.map((row) => row.id))
  return ids.filter((id) => seen.has(id))
}

/** Who favourited or boosted a status, newest first, but for those the viewer blocks, mutes or is blocked by. */
export async function listActors(
  reader: Reader,
  query: { kind: 'favourited' | 'reblogged'; statusId: StatusId; viewerId: AccountId | null },
  page: PageRequest,
): Promise<Page<AccountId>> {
  const { viewerId, statusId } = query
  const source =
    query.kind === 'favourited'
      ? sql`select f.id as cursor, f.account_id from favourites f where f.status_id = ${statusId}`
      : sql`select b.id as cursor, b.account_id from statuses b where b.reblog_of_id = ${statusId}
          and b.deleted_at is null and b.visibility in ('public', 'unlisted')`
  const welcome =
    viewerId === null
      ? sql`true`
      : sql`${isUnblocked(viewerId, sql`x.account_id`)}
          and not ${isMuted({ muter: viewerId, muted: sql`x.account_id` }, new Date(reader.clock.now()))}`
  const { rows } = await sql<{ cursor: IdCursor; account_id: AccountId }>`
    select x.cursor, x.account_id from (${source}) x join accounts a on a.id = x.account_id
    where a.suspended_at is null and a.deleted_at is null and ${welcome} and ${inPage('x.cursor', page)}
    ${orderAndLimit('x.cursor', page)}`.execute(reader.db)
  const found = toPage(rows, page, (row) => row.cursor)
  return { ...found, items: found.items.map((row) => row.account_id) }
}
