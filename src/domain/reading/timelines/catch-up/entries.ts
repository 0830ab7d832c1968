// What came into somebody's home feed since they were there last, as few facts as it takes to put it in order.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { visibleWithOriginal } from '#domain/content/statuses/visibility.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import { timeToId } from '#lib/ids.ts'
import { feedCap } from '../feed-tables.ts'
import { listHome } from '../home-feed.ts'
import type { AccountId, ConversationId, IdCursor, PreviewCardId, StatusId } from '#lib/id.ts'

/** A part of the home feed, by ids. */
export interface Span {
  /** What is newer. */
  sinceId: IdCursor
  /** What is older, and this one itself. */
  untilId?: IdCursor | undefined
}

/** A status of others in the feed, or a boost. `original`: itself, or what it boosts. */
export interface CatchUpEntry {
  id: StatusId
  account_id: AccountId
  original_id: StatusId
  conversation_id: ConversationId | null
  card_id: PreviewCardId | null
  /** It answers somebody else. */
  reply: boolean
  /** It came by a followed tag: its author is not followed. */
  by_tag: boolean
  replies_count: number
  reblogs_count: number
  favourites_count: number
  /** About how many characters there are to read; pictures, polls and cards count as some. */
  density: number
}

const day = 86_400_000
/** Whoever posts no more than this in that time posts rarely. */
const quietPosts = 8
const quietTime = 28 * day
/** Boosts of one status that are looked through, and accounts that are named of those who boosted it. */
const maxBoosts = 200

/**
 * What others brought into the viewer's home feed in a span, newest first. `whole`: the feed holds all of the span. `until`: the
 * newest id of the feed.
 */
export async function listCatchUp(
  ctx: Ctx,
  viewerId: AccountId,
  { sinceId, untilId }: Span,
): Promise<{ entries: CatchUpEntry[]; whole: boolean; until: IdCursor | null }> {
  const maxId = untilId === undefined ? undefined : idAfter(untilId)
  const page = await listHome(ctx, viewerId, { limit: feedCap, sinceId, maxId })
  return { entries: await loadEntries(ctx, viewerId, page.items), whole: !page.full, until: page.newest }
}

/** The id after this one; undefined after the last that there is. */
const idAfter = (id: IdCursor): string | undefined =>
  BigInt(id) < 2n ** 63n - 1n ? String(BigInt(id) + 1n) : undefined

async function loadEntries(
  reader: Reader,
  viewerId: AccountId,
  ids: readonly StatusId[],
): Promise<CatchUpEntry[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<CatchUpEntry>`
    select s.id, s.account_id, o.id as original_id, o.conversation_id, o.card_id,
      (o.reply and o.in_reply_to_account_id is distinct from o.account_id) as reply,
      not exists (select 1 from follows f
        where f.account_id = ${viewerId} and f.target_account_id = s.account_id offset 0) as by_tag,
      coalesce(t.replies_count, 0) as replies_count,
      coalesce(greatest(t.reblogs_count, t.told_reblogs_count), 0) as reblogs_count,
      coalesce(greatest(t.favourites_count, t.told_favourites_count), 0) as favourites_count,
      length(o.content) + 400 * cardinality(o.media_ids) + case when o.poll_id is null then 0 else 200 end
        + case when o.card_id is null then 0 else 100 end as density
    from statuses s
    join statuses o on o.id = coalesce(s.reblog_of_id, s.id)
    left join status_stats t on t.status_id = o.id
    where s.id = any(${ids}::bigint[]) and s.account_id <> ${viewerId} and ${visibleWithOriginal(viewerId, 's')}
    order by s.id desc`.execute(reader.db)
  return rows
}

/** Which of these accounts post rarely: no more than twice a week in the last four. */
export async function findQuiet(
  reader: Reader,
  accountIds: readonly AccountId[],
): Promise<ReadonlySet<AccountId>> {
  if (accountIds.length === 0) return new Set()
  const since = timeToId(reader.clock.now() - quietTime)
  const { rows } = await sql<{ id: AccountId }>`
    select w.id from unnest(${accountIds}::bigint[]) w (id)
    where (
      select count(*) from (
        select 1 from statuses s where s.account_id = w.id and s.deleted_at is null and s.id > ${since}::bigint
        order by s.id desc limit ${quietPosts + 1}) l) <= ${quietPosts}`.execute(reader.db)
  return new Set(rows.map((row) => row.id))
}

/**
 * Who of those that the viewer follows boosted these statuses in the span, newest first: the feed shows one boost of
 * several alone. Nobody whom the viewer mutes, or whose boosts they do not want.
 */
export async function loadBoosters(
  reader: Reader,
  viewerId: AccountId,
  originalIds: readonly StatusId[],
  { sinceId, untilId }: Span,
): Promise<Map<StatusId, AccountId[]>> {
  if (originalIds.length === 0) return new Map()
  const { rows } = await sql<{ id: StatusId; booster_ids: AccountId[] }>`
    select w.id, array(
      select b.account_id from (
        select l.id, l.account_id from statuses l
        where l.reblog_of_id = w.id and l.id > ${sinceId}::bigint and l.deleted_at is null
          and (${untilId ?? null}::bigint is null or l.id <= ${untilId ?? null}::bigint)
        order by l.id desc limit ${maxBoosts}) b
      where exists (select 1 from follows f where f.account_id = ${viewerId} and f.target_account_id = b.account_id
          and f.show_reblogs offset 0)
        and exists (select 1 from accounts a
          where a.id = b.account_id and a.suspended_at is null and a.deleted_at is null offset 0)
        and not ${isMuted({ muter: viewerId, muted: sql`b.account_id` }, new Date(reader.clock.now()))}
      order by b.id desc) as booster_ids
    from unnest(${originalIds}::bigint[]) w (id)`.execute(reader.db)
  return new Map(rows.map((row) => [row.id, row.booster_ids]))
}
