// The scheduled look at what trends. It reads the last two days at most: ids tell when a status was made.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { ensurePublishers, publisherOf } from '#domain/content/cards/providers.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { timeToId } from '#lib/ids.ts'
import { dayStart } from '#lib/time/use-days.ts'
import { calmQuote, inGoodStanding, showsWell, trendableStatus } from './eligible.ts'
import { halved, lowestScore, savePeaks } from './peaks.ts'
import type { PreviewCardId } from '#lib/id.ts'

const hour = 3_600_000
const tagHalfLife = 4 * hour
const linkHalfLife = 8 * hour
const statusHalfLife = hour
/** Favourites and boosts that a status must have. */
const fewestMarks = 5
/** Statuses that are older when they are first noticed do not trend: what they had has decayed by then. */
const statusAge = 24 * hour
/** What has fallen below it is forgotten: half a day or so after a few marks, more than a day after thousands. */
const lowestStatusScore = 0.3

/** Computes anew what trends. Does nothing while trends are off. Safe to run again. */
export async function refreshTrends(ctx: Ctx): Promise<void> {
  const settings = await getSettings(ctx)
  if (!settings.trends) return
  await refreshTags(ctx)
  await refreshLinks(ctx)
  await namePublishers(ctx)
  await refreshStatuses(ctx)
}

/** Hashtags by the people who use them in public, replies included, nothing sensitive. */
async function refreshTags(reader: Reader): Promise<void> {
  const days = daysOf(reader)
  await savePeaks(
    reader,
    { name: 'tag_trends', key: 'tag_id', halfLife: tagHalfLife },
    sql`
    select st.tag_id as id,
      count(distinct s.account_id) filter (where st.status_id >= ${days.today}::bigint) as observed,
      count(distinct s.account_id) filter (where st.status_id < ${days.today}::bigint) as expected,
      mode() within group (order by s.language) filter (where st.status_id >= ${days.today}::bigint) as language
    from status_tags st
    join statuses s on s.id = st.status_id
    join accounts a on a.id = s.account_id
    join tags t on t.id = st.tag_id
    where st.status_id >= ${days.yesterday}::bigint and st.status_id < ${days.tomorrow}::bigint
      and s.id >= ${days.yesterday}::bigint and s.id < ${days.tomorrow}::bigint
      and t.usable and t.listable and ${showsWell('s')} and ${inGoodStanding('a')}
    group by st.tag_id`,
  )
}

/** Pages by the people who link to them. Several cards of one page count together, under the one already known. */
async function refreshLinks(reader: Reader): Promise<void> {
  const days = daysOf(reader)
  await savePeaks(
    reader,
    { name: 'link_trends', key: 'card_id', halfLife: linkHalfLife },
    sql`
    select coalesce(min(k.card_id), min(c.id) filter (where c.trendable is not null), min(c.id)) as id,
      count(distinct s.account_id) filter (where s.id >= ${days.today}::bigint) as observed,
      count(distinct s.account_id) filter (where s.id < ${days.today}::bigint) as expected,
      min(c.language) as language
    from statuses s
    join accounts a on a.id = s.account_id
    join preview_cards c on c.id = s.card_id
    left join link_trends k on k.card_id = c.id
    where s.id >= ${days.yesterday}::bigint and s.id < ${days.tomorrow}::bigint and s.card_id is not null
      and ${showsWell('s')} and ${inGoodStanding('a')}
      and c.type = 'link' and c.html = '' and c.language is not null and c.title <> '' and c.image_key is not null
      and c.provider_name <> ''
    group by coalesce(c.canonical_url, c.url)`,
  )
}

/** Cards that were fetched before publishers were kept get theirs when they come to trend. */
async function namePublishers(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ id: PreviewCardId; address: string }>`
    select c.id, coalesce(c.canonical_url, c.url) as address from link_trends k
    join preview_cards c on c.id = k.card_id
    where c.provider_id is null and k.score >= ${lowestScore}`.execute(ctx.db)
  const cards = rows.flatMap(({ id, address }) => {
    const domain = publisherOf(address)
    return domain === null ? [] : { id, domain }
  })
  if (cards.length === 0) return
  await ctx.transaction(async (tx) => {
    const known = await ensurePublishers(
      tx,
      cards.map((card) => card.domain),
    )
    await sql`
      update preview_cards c set provider_id = w.provider_id
      from unnest(${cards.map((card) => card.id)}::bigint[],
        ${cards.map((card) => known.get(card.domain))}::bigint[]) w (id, provider_id)
      where c.id = w.id`.execute(tx.db)
  })
}

/**
 * The best status of each account, by favourites and boosts. One that staff rejected stands in for its author only
 * when there is no other: nobody but staff sees it.
 */
async function refreshStatuses(reader: Reader): Promise<void> {
  const now = reader.clock.now()
  const [since, until] = [timeToId(now - statusAge), timeToId(now + 1)]
  const age = sql`${new Date(now)}::timestamptz - s.created_at`
  await sql`
    with noticed as (
      select status_id from status_stats
      where status_id >= ${since}::bigint and status_id < ${until}::bigint
        and reblogs_count + favourites_count >= ${fewestMarks}::int
      union select status_id from status_trends),
    scored as (
      select s.id, s.account_id, s.language, not coalesce(s.trendable, a.trendable, true) as rejected,
        ${halved(sql`power(t.reblogs_count + t.favourites_count - 1, 2)`, age, statusHalfLife)} as score
      from noticed n
      join status_stats t on t.status_id = n.status_id
      join statuses s on s.id = n.status_id
      join accounts a on a.id = s.account_id
      where t.reblogs_count + t.favourites_count >= ${fewestMarks}::int and ${trendableStatus('s', 'a')}
        and ${calmQuote('s')}),
    best as (
      select distinct on (account_id) * from scored where score >= ${lowestStatusScore}::float8
      order by account_id, rejected, score desc, id desc),
    gone as (
      delete from status_trends k where not exists (select 1 from best b where b.account_id = k.account_id))
    insert into status_trends (status_id, account_id, score, language, updated_at)
    select id, account_id, score, language, ${new Date(now)}::timestamptz from best order by account_id
    on conflict (account_id) do update set status_id = excluded.status_id, score = excluded.score,
      language = excluded.language, updated_at = excluded.updated_at`.execute(reader.db)
}

function daysOf(reader: Reader) {
  const now = reader.clock.now()
  return { yesterday: dayStart(now, 1), today: dayStart(now, 0), tomorrow: dayStart(now, -1) }
}
