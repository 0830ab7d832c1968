import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { keepStatement } from '#db/keep-statement.ts'
import { keyBy } from '#lib/collections.ts'
import type { InteractionAnswer } from './interaction-groups.ts'
import { quoteAnswerFor } from './quote-policy.ts'
import { replyAnswerFor } from './reply-policy.ts'
import { visibleTo } from './visibility.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** What is each viewer's own of a status. */
export interface ViewerMarks {
  favourited: boolean
  reblogged: boolean
  bookmarked: boolean
  muted: boolean
  pinned: boolean
  /** What becomes of it when the viewer quotes it. */
  quote_answer: InteractionAnswer
  /** What becomes of it when the viewer answers it. Null: nobody looks. */
  reply_answer: InteractionAnswer | null
}

/**
 * One narrow query for everything about statuses that changes often or depends on the viewer: by it the parts that
 * do not are found in the cache. What the viewer may not see is not in it.
 */
export interface StatusState extends ViewerMarks {
  id: StatusId
  version: number
  reblog_of_id: StatusId | null
  account_id: AccountId
  account_version: number
  /** Staff marked all that the author shows as sensitive. */
  sensitized: boolean
  replies_count: number
  reblogs_count: number
  favourites_count: number
  quotes_count: number
  reactions_count: number
  followers_count: number
  following_count: number
  account_statuses_count: number
  last_status_at: Date | null
}

/** Lines of these statuses and of what they boost. */
export async function loadStatusStates(
  reader: Reader,
  viewerId: AccountId | null,
  ids: readonly StatusId[],
): Promise<Map<StatusId, StatusState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await askStates(reader.db, viewerId, ids)
  return keyBy(rows, (row) => row.id)
}

const askStates = keepStatement(
  (db: QueryExecutorProvider, viewerId: AccountId | null, ids: readonly StatusId[]) =>
    sql<StatusState>`
    select ${lineColumns(viewerId)}, ${viewerColumns(viewerId)}
    from (${withOriginals(ids)}) w
    ${lineJoins}
    where ${visibleTo(viewerId, 's', 'a')}`.execute(db),
)

/**
 * The same for staff who look into statuses that were reported, and for authors who are told which ones staff decided
 * about: whatever their visibility, and after they were deleted as long as the row is there. What they boost is seen as
 * ever.
 */
export async function loadReportedLines(
  reader: Reader,
  viewerId: AccountId,
  ids: readonly StatusId[],
): Promise<Map<StatusId, StatusState>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<StatusState>`
    select ${lineColumns(viewerId)}, ${viewerColumns(viewerId)}
    from (${withOriginals(ids)}) w
    ${lineJoins}
    where s.id = any(${ids}::bigint[]) or ${visibleTo(viewerId, 's', 'a')}`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}

/** The same for many viewers at once, by account: those who have no login are left out. */
export async function loadStatusStatesOfMany(
  reader: Reader,
  viewerIds: readonly AccountId[],
  ids: readonly StatusId[],
): Promise<Map<AccountId, ViewerLines>> {
  const viewer = sql<AccountId>`v.account_id`
  const { rows } = await sql<StatusState & { viewer_id: AccountId; filters_version: number }>`
    select v.account_id as viewer_id, v.filters_version, ${lineColumns(viewer)}, ${columnsOfMany(viewerIds, ids)}
    from users v cross join (${withOriginals(ids)}) w
    ${lineJoins}
    where v.account_id = any(${viewerIds}::bigint[]) and ${visibleTo(viewer, 's', 'a')}`.execute(reader.db)
  const found = new Map<AccountId, ViewerLines>()
  for (const row of rows) {
    const known = found.get(row.viewer_id)
    if (known) known.lines.set(row.id, row)
    else
      found.set(row.viewer_id, {
        filtersVersion: row.filters_version,
        lines: new Map([[row.id, row]]),
      })
  }
  return found
}

/** What one viewer sees. */
export interface ViewerLines {
  filtersVersion: number
  lines: Map<StatusId, StatusState>
}

function withOriginals(ids: readonly StatusId[]): RawBuilder<unknown> {
  return sql`
    select unnest(${ids}::bigint[]) as id union
    select reblog_of_id from statuses where id = any(${ids}::bigint[]) and reblog_of_id is not null`
}

const lineJoins: RawBuilder<unknown> = sql`
    join statuses s on s.id = w.id
    join accounts a on a.id = s.account_id
    left join status_stats t on t.status_id = s.id
    left join account_stats n on n.account_id = s.account_id`

function lineColumns(viewerId: ViewerId): RawBuilder<unknown> {
  return sql`s.id, s.version, s.reblog_of_id, s.account_id, a.version as account_version,
      a.sensitized_at is not null as sensitized,
      coalesce(t.replies_count, 0) as replies_count,
      coalesce(greatest(t.reblogs_count, t.told_reblogs_count), 0) as reblogs_count,
      coalesce(greatest(t.favourites_count, t.told_favourites_count), 0) as favourites_count,
      coalesce(t.quotes_count, 0) as quotes_count,
      coalesce(t.reactions_count, 0) as reactions_count, ${quoteAnswerFor(viewerId, 's')} as quote_answer,
      ${viewerId === null ? sql`null::text` : replyAnswerFor(viewerId, 's')} as reply_answer,
      coalesce(n.followers_count, 0) as followers_count, coalesce(n.following_count, 0) as following_count,
      coalesce(n.statuses_count, 0) as account_statuses_count, n.last_status_at`
}

/** An account, a column that names one, or nobody. */
type ViewerId = AccountId | RawBuilder<AccountId> | null

/**
 * What the viewer did to each status: `offset 0` makes one index look-up a status of it, however much they have
 * favourited in their life. What most people never did is asked once for the whole statement first.
 */
function viewerColumns(viewerId: AccountId | null): RawBuilder<unknown> {
  if (viewerId === null) {
    return sql`false as favourited, false as reblogged, false as bookmarked, false as muted, false as pinned`
  }
  const original = sql`coalesce(s.reblog_of_id, s.id)`
  return sql`
    exists (select 1 from favourites f where f.account_id = ${viewerId} and f.status_id = ${original} offset 0) as favourited,
    exists (select 1 from statuses b where b.reblog_of_id = ${original} and b.account_id = ${viewerId}
      and b.deleted_at is null offset 0) as reblogged,
    (exists (select 1 from bookmarks kn where kn.account_id = ${viewerId})
      and exists (select 1 from bookmarks k where k.account_id = ${viewerId} and k.status_id = ${original} offset 0)) as bookmarked,
    (exists (select 1 from conversation_mutes cn where cn.account_id = ${viewerId})
      and exists (select 1 from conversation_mutes c where c.account_id = ${viewerId}
        and c.conversation_id = s.conversation_id offset 0)) as muted,
    (s.account_id = ${viewerId} and exists (select 1 from status_pins p where p.status_id = s.id offset 0)) as pinned`
}

/**
 * The same for `users v` among these. What all of them did is read once and kept in a hash, which costs a tenth of a
 * look-up for each of a thousand.
 */
function columnsOfMany(viewerIds: readonly AccountId[], ids: readonly StatusId[]): RawBuilder<unknown> {
  const original = sql`(v.account_id, coalesce(s.reblog_of_id, s.id))`
  const wanted = sql`any(array(${withOriginals(ids)}))`
  const viewers = sql`any(${viewerIds}::bigint[])`
  return sql`
    ${original} in (select f.account_id, f.status_id from favourites f
      where f.status_id = ${wanted} and f.account_id = ${viewers}) as favourited,
    ${original} in (select b.account_id, b.reblog_of_id from statuses b
      where b.reblog_of_id = ${wanted} and b.account_id = ${viewers} and b.deleted_at is null) as reblogged,
    ${original} in (select k.account_id, k.status_id from bookmarks k
      where k.status_id = ${wanted} and k.account_id = ${viewers}) as bookmarked,
    (v.account_id, s.conversation_id) in (select c.account_id, c.conversation_id from conversation_mutes c
      where c.account_id = ${viewers} and c.conversation_id = any(
        array(select m.conversation_id from statuses m where m.id = ${wanted}))) as muted,
    (s.account_id = v.account_id and exists (
      select 1 from status_pins p where p.status_id = s.id offset 0)) as pinned`
}
