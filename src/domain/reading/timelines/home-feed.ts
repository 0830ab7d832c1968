import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { maxId } from '#lib/ids.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import { activeFor } from '#domain/identity/accounts/record-activity.ts'
import { bringBackUnmuted } from './end-mutes.ts'
import {
  feedCap,
  homeFeeds,
  lookedUpInOrder,
  notRecentlyThere,
  perRebuild,
  readFeed,
  rebuildReach,
  sameAs,
  trimEntries,
  writeFeed,
} from './feed-tables.ts'
import { entersHome } from './home-rules.ts'
import { entersByTag, tagEligible, taggedStatuses } from './tag-rules.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** The ids of a page of the home feed. Builds the feed first when there is none, or when it is out of date. */
export async function listHome(ctx: Ctx, accountId: AccountId, page: PageRequest): Promise<Page<StatusId>> {
  const rebuild = () => rebuildHome(ctx, accountId)
  const endMutes = () => bringBackUnmuted(ctx, accountId)
  return readFeed(ctx, homeFeeds, { id: accountId, accountId, rebuild, endMutes }, page)
}

/** Writes the feed anew from what its owner follows, unless somebody has just done so. `anew` does it in any case. */
export async function rebuildHome(ctx: Ctx, accountId: AccountId, { anew = false } = {}): Promise<void> {
  await sql`insert into home_feeds (account_id) values (${accountId}) on conflict do nothing`.execute(ctx.db)
  const now = new Date(ctx.clock.now())
  const source = sql`
    (${ownStatuses(accountId)}) union all (${followedStatuses(accountId, now)})
    union all (${taggedStatuses(accountId, now)})`
  await writeFeed(ctx, homeFeeds, accountId, { source, anew })
}

function ownStatuses(accountId: AccountId): RawBuilder<unknown> {
  return sql`select s.id, s.reblog_of_id from statuses s
    where s.account_id = ${accountId} and s.deleted_at is null order by s.id desc limit ${perRebuild}`
}

/**
 * Ids come from an index alone; only the newest of them all are read and held against the rules, until there are as
 * many as a feed keeps.
 */
function followedStatuses(accountId: AccountId, now: Date): RawBuilder<unknown> {
  return sql`select s.id, s.reblog_of_id from (
      select l.id, f.account_id, f.show_reblogs, f.languages from follows f cross join lateral (
        select id from statuses where account_id = f.target_account_id and deleted_at is null
        order by id desc limit ${perRebuild}) l
      where f.account_id = ${accountId} order by l.id desc limit ${rebuildReach}) f
    ${lookedUpInOrder(sql`f.id`)}
    where ${entersHome({ status: 's', original: 'o', follow: 'f' }, now)}
    order by f.id desc limit ${feedCap}`
}

/** Followers into whose feeds one statement writes: none takes long, however many there are. */
const reachedAtOnce = 2_000
/** Posts that one statement puts into feeds. */
const postsAtOnce = 20

/** What differs between posts and boosts. */
interface Reaching {
  /** What the status `s` boosts, as `o`. */
  original: RawBuilder<unknown>
  /** What has to hold besides the rules. */
  condition: RawBuilder<boolean>
}

/** A post boosts nothing, which is what the rules ask first of what it boosts. */
const asPosts: Reaching = {
  original: sql`cross join (
    select null::bigint as id, null::bigint as account_id, null::text as language, null::timestamptz as deleted_at) o`,
  condition: sql`true`,
}

const asBoost = (statusId: StatusId): Reaching => ({
  original: sql`left join statuses o on o.id = s.reblog_of_id`,
  condition: notRecentlyThere(homeFeeds, 's', sql`f.account_id`, sameAs(statusId)),
})

/** Begins with the followers of a post: with those of others that come at the same time, by one statement. */
const beginFanOut = createBatchLoader<Ctx, StatusId, string | null>({
  max: postsAtOnce,
  async run(ctx, ids) {
    const found = await reachFollowers(ctx, ids, maxId, asPosts)
    return ids.map((id) => found.get(id) ?? null)
  },
})

/**
 * Puts a new post into the feeds of those who follow its author: who followed last comes first, and who does so
 * meanwhile gets it by `mergeHome`. Safe to run again.
 */
export async function fanOutPost(ctx: Ctx, statusId: StatusId): Promise<void> {
  await goOnFanOut(ctx, statusId, await beginFanOut(ctx, statusId), asPosts)
}

/** The same of a new boost, unless it stands in a feed already or what it boosts does. */
export async function fanOutBoost(ctx: Ctx, statusId: StatusId): Promise<void> {
  await goOnFanOut(ctx, statusId, maxId, asBoost(statusId))
}

async function goOnFanOut(
  ctx: Ctx,
  statusId: StatusId,
  from: string | null,
  reaching: Reaching,
): Promise<void> {
  for (let before = from; before !== null;)
    before = (await reachFollowers(ctx, [statusId], before, reaching)).get(statusId) ?? null
}

/**
 * Writes statuses into the feeds of some of their authors' followers before a follow. Returns before which follow it goes
 * on, for those that have more. `offset 0`: the followers are looked up by the author, however few follows there were when
 * the plan was made.
 */
async function reachFollowers(
  ctx: Ctx,
  ids: readonly StatusId[],
  before: string,
  { original, condition }: Reaching,
): Promise<Map<StatusId, string>> {
  const [now, each] = [new Date(ctx.clock.now()), Math.floor(reachedAtOnce / ids.length)]
  const { rows } = await sql<{ id: StatusId; next: string }>`
    with written as materialized (
      select id, account_id, reblog_of_id, reply, in_reply_to_account_id, language, visibility, deleted_at
      from statuses where id = any(${ids}::bigint[])),
    followers as materialized (
      select w.id as status_id, f.id, f.account_id, f.show_reblogs, f.languages
      from written w cross join lateral (
        select id, account_id, show_reblogs, languages from follows
        where target_account_id = w.account_id and id < ${before}::bigint
        order by id desc limit ${each} offset 0) f),
    reached as (
      insert into home_entries (account_id, status_id, reblog_of_id)
      select f.account_id, s.id, s.reblog_of_id
      from followers f
      join home_feeds hf on hf.account_id = f.account_id
      join written s on s.id = f.status_id ${original}
      where ${entersHome({ status: 's', original: 'o', follow: 'f' }, now)} and ${condition}
      on conflict do nothing)
    select status_id as id, min(id) as next from followers group by status_id having count(*) = ${each}`.execute(
    ctx.db,
  )
  return new Map(rows.map(({ id, next }) => [id, next]))
}

/** Puts a status into the feeds of those who follow its tags, also those that an edit has added. Safe to run again. */
export async function fanOutByTags(ctx: Ctx, statusId: StatusId): Promise<void> {
  await sql`
    insert into home_entries (account_id, status_id, reblog_of_id)
    select distinct tf.account_id, s.id, s.reblog_of_id
    from statuses s
    join status_tags st on st.status_id = s.id
    join tag_follows tf on tf.tag_id = st.tag_id
    join home_feeds hf on hf.account_id = tf.account_id
    where s.id = ${statusId} and ${tagEligible('s')} and ${entersByTag('s', sql`tf.account_id`, new Date(ctx.clock.now()))}
    on conflict do nothing`.execute(ctx.db)
}

/** Cuts feeds to their cap and forgets those of people who have been away: they are rebuilt on return. */
export async function trimHomeFeeds(ctx: Ctx): Promise<void> {
  await sql`
    delete from home_feeds hf using users u
    where u.account_id = hf.account_id
      and coalesce(u.last_active_at, u.created_at) < ${new Date(ctx.clock.now() - activeFor)}`.execute(ctx.db)
  await trimEntries(ctx, homeFeeds)
}
