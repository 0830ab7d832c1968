import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { notFilteredFor } from '#domain/social/relationships/rules.ts'
import type { TagFacts } from '#domain/content/tags/queries.ts'
import { dayLength, dayStart, fillWeek, weekStart, type UseDay } from '#lib/time/use-days.ts'
import { calmQuote, inGoodStanding, showsWell, trendableStatus } from './eligible.ts'
import { lowestScore } from './peaks.ts'
import type { PreviewCardId, StatusId } from '#lib/id.ts'

/** A part of a ranked list. */
export interface Rank {
  limit: number
  offset: number
  /** For moderators: also what has not been approved, and what was rejected, in one order for all of them. */
  unreviewed?: boolean | undefined
}

/** Hashtags that trend: the viewer's languages first, then by score. Empty while trends are off. */
export async function listTrendingTags(
  reader: Reader,
  viewer: Viewer | null,
  rank: Rank,
): Promise<TagFacts[]> {
  const approved = await approval(reader, rank)
  if (!approved) return []
  const { rows } = await sql<TagFacts>`
    select t.id, t.name, t.display_name from tag_trends k join tags t on t.id = k.tag_id
    where k.score >= ${lowestScore} and t.usable and t.listable and ${approved(sql`t.trendable`)}
    order by ${languagesFirst(viewer, rank, sql`k.language`)} k.score desc, t.id
    limit ${rank.limit} offset ${rank.offset}`.execute(reader.db)
  return rows
}

/** Ids of the cards of pages that trend, ordered as hashtags are. */
export async function listTrendingLinks(
  reader: Reader,
  viewer: Viewer | null,
  rank: Rank,
): Promise<PreviewCardId[]> {
  const approved = await approval(reader, rank)
  if (!approved) return []
  const { rows } = await sql<{ id: PreviewCardId }>`
    select c.id from link_trends k join preview_cards c on c.id = k.card_id
    where k.score >= ${lowestScore} and ${approved(decided)}
    order by ${languagesFirst(viewer, rank, sql`c.language`)} k.score desc, c.id
    limit ${rank.limit} offset ${rank.offset}`.execute(reader.db)
  return rows.map((row) => row.id)
}

/** About the page itself, else about whoever publishes it. */
const decided = sql`coalesce(c.trendable,
  (select p.trendable from preview_card_providers p where p.id = c.provider_id))`

/** Ids of statuses that trend, ordered as hashtags are, but for those of people whom the viewer will not meet. */
export async function listTrendingStatuses(
  reader: Reader,
  viewer: Viewer | null,
  rank: Rank,
): Promise<StatusId[]> {
  const approved = await approval(reader, rank)
  if (!approved) return []
  // Staff look after everybody, also those whom they keep out of their own sight.
  const readerId = rank.unreviewed ? null : (viewer?.accountId ?? null)
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from status_trends k join statuses s on s.id = k.status_id join accounts a on a.id = s.account_id
    where ${trendableStatus('s', 'a')} and ${calmQuote('s')} and ${approved(sql`coalesce(s.trendable, a.trendable)`)}
      and ${notFilteredFor(readerId, 'a', new Date(reader.clock.now()))}
    order by ${languagesFirst(viewer, rank, sql`s.language`)} k.score desc, s.id
    limit ${rank.limit} offset ${rank.offset}`.execute(reader.db)
  return rows.map((row) => row.id)
}

/** Ids of all cards of the page with this address while it trends, or null. */
export async function findTrendingLink(reader: Reader, url: string): Promise<PreviewCardId[] | null> {
  const approved = await approval(reader, { limit: 1, offset: 0 })
  if (!approved) return null
  const { rows } = await sql<{ id: PreviewCardId }>`
    with page as (
      select coalesce(c.canonical_url, c.url) as address from link_trends k join preview_cards c on c.id = k.card_id
      where k.score >= ${lowestScore} and ${approved(decided)}
        and ${url}::text in (c.canonical_url, c.url) limit 1)
    select c.id from page p join preview_cards c
      on md5(coalesce(c.canonical_url, c.url)) = md5(p.address) and coalesce(c.canonical_url, c.url) = p.address
    order by c.id limit ${maxCards}`.execute(reader.db)
  return rows.length === 0 ? null : rows.map((row) => row.id)
}

/** Which of these nobody decided about so far, neither about themselves nor about whom they come from. */
export async function loadUnreviewed<Id extends PreviewCardId | StatusId>(
  reader: Reader,
  kind: 'links' | 'statuses',
  ids: readonly Id[],
): Promise<Set<Id>> {
  if (ids.length === 0) return new Set()
  const asked =
    kind === 'links'
      ? sql`select c.id from preview_cards c left join preview_card_providers p on p.id = c.provider_id
          where c.trendable is null and p.reviewed_at is null and c.id = any(${ids}::bigint[])`
      : sql`select s.id from statuses s join accounts a on a.id = s.account_id
          where s.trendable is null and a.trendable is null and s.id = any(${ids}::bigint[])`
  const { rows } = await (asked as RawBuilder<{ id: Id }>).execute(reader.db)
  return new Set(rows.map((row) => row.id))
}

/** Cards of one page that count together: a page has as many addresses as people make up. */
const maxCards = 50

/** The use of links on the last seven days, in one query, by the card that stands for a page. */
export async function loadLinkHistories(
  reader: Reader,
  ids: readonly PreviewCardId[],
): Promise<Map<PreviewCardId, UseDay[]>> {
  if (ids.length === 0) return new Map()
  const now = reader.clock.now()
  const { rows } = await sql<UseDay & { id: PreviewCardId }>`
    select w.id, ((s.id >> 16) / ${dayLength}::bigint)::int as day,
      count(*)::int as uses, count(distinct s.account_id)::int as accounts
    from (
      select id, coalesce(canonical_url, url) as address from preview_cards where id = any(${ids}::bigint[])) w
    join preview_cards c
      on md5(coalesce(c.canonical_url, c.url)) = md5(w.address) and coalesce(c.canonical_url, c.url) = w.address
    join statuses s on s.card_id = c.id
    join accounts a on a.id = s.account_id
    where s.id >= ${weekStart(now)}::bigint and s.id < ${dayStart(now, -1)}::bigint
      and ${showsWell('s')} and ${inGoodStanding('a')}
    group by 1, 2`.execute(reader.db)
  return fillWeek(ids, rows, now)
}

/** Which state of review lets something into the list. Null: trends are off, and nothing is. */
async function approval(
  reader: Reader,
  rank: Rank,
): Promise<((trendable: RawBuilder<unknown>) => RawBuilder<boolean>) | null> {
  const settings = await getSettings(reader)
  if (rank.unreviewed) return () => sql`true`
  if (!settings.trends) return null
  return (trendable) => sql`coalesce(${trendable}, ${settings.trendable_by_default}::boolean)`
}

/** What comes first in the order: what is in a language of the viewer's, those chosen, else that of their pages. */
function languagesFirst(
  viewer: Viewer | null,
  rank: Rank,
  language: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (viewer === null || rank.unreviewed) return sql``
  const own = [viewer.locale, viewer.locale.split('-')[0] as string]
  const languages = viewer.chosenLanguages ?? own
  return sql`coalesce(${language} = any(${languages}::text[]), false) desc,`
}
