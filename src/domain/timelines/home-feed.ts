import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import { activeFor } from '#domain/accounts/note-activity.ts'
import {
  awaitBuild,
  homeFeeds,
  notRecentlyThere,
  perRebuild,
  readFeed,
  rebuildReach,
  trimEntries,
  writeFeed,
} from './feed-tables.ts'
import { entersHome } from './home-rules.ts'
import { entersByTag, tagEligible, taggedStatuses } from './tag-rules.ts'

/** Statuses taken from one account when it is merged into a feed. */
const perMerge = 200

/** The ids of a page of the home feed. Builds the feed first when there is none, or when it is out of date. */
export async function listHome(ctx: Ctx, accountId: Id, page: PageRequest): Promise<Page<Id>> {
  return readFeed(ctx, homeFeeds, { id: accountId, rebuild: () => rebuildHome(ctx, accountId) }, page)
}

/** Writes the feed anew from what its owner follows, unless somebody has just done so. `anew` does it in any case. */
export async function rebuildHome(ctx: Ctx, accountId: Id, { anew = false } = {}): Promise<void> {
  await sql`insert into home_feeds (account_id) values (${accountId}) on conflict do nothing`.execute(ctx.db)
  const source = sql`
    (${ownStatuses(accountId)}) union (${followedStatuses(accountId)}) union (${taggedStatuses(accountId)})`
  await writeFeed(ctx, homeFeeds, accountId, { source, anew })
}

function ownStatuses(accountId: Id): RawBuilder<unknown> {
  return sql`select s.id, s.reblog_of_id from statuses s
    where s.account_id = ${accountId} and s.deleted_at is null order by s.id desc limit ${perRebuild}`
}

/** Ids come from an index alone; only the newest of them all are read and held against the rules. */
function followedStatuses(accountId: Id): RawBuilder<unknown> {
  return sql`select s.id, s.reblog_of_id from (
      select l.id, f.id as follow_id from follows f cross join lateral (
        select id from statuses where account_id = f.target_account_id and deleted_at is null
        order by id desc limit ${perRebuild}) l
      where f.account_id = ${accountId} order by l.id desc limit ${rebuildReach}) newest
    join statuses s on s.id = newest.id
    join follows f on f.id = newest.follow_id
    left join statuses o on o.id = s.reblog_of_id
    where ${entersHome}`
}

function statusesOf(accountId: Id, targetId: Id): RawBuilder<unknown> {
  return sql`select s.id, s.reblog_of_id from follows f
    cross join lateral (
      select * from statuses l where l.account_id = f.target_account_id and l.deleted_at is null
      order by l.id desc limit ${perMerge}) s
    left join statuses o on o.id = s.reblog_of_id
    where f.account_id = ${accountId} and f.target_account_id = ${targetId} and ${entersHome}`
}

/** Puts a new status into the feeds of those who follow its author. Safe to run again. */
export async function fanOutHome(ctx: Ctx, statusId: Id): Promise<void> {
  await sql`
    insert into home_entries (account_id, status_id, reblog_of_id)
    select f.account_id, s.id, s.reblog_of_id
    from statuses s
    join follows f on f.target_account_id = s.account_id
    join home_feeds hf on hf.account_id = f.account_id
    left join statuses o on o.id = s.reblog_of_id
    where s.id = ${statusId} and ${entersHome} and ${notRecentlyThere(homeFeeds, sql`f.account_id`)}
    on conflict do nothing`.execute(ctx.db)
}

/** Puts a status into the feeds of those who follow its tags, also those that an edit has added. Safe to run again. */
export async function fanOutByTags(ctx: Ctx, statusId: Id): Promise<void> {
  await sql`
    insert into home_entries (account_id, status_id, reblog_of_id)
    select distinct tf.account_id, s.id, s.reblog_of_id
    from statuses s
    join status_tags st on st.status_id = s.id
    join tag_follows tf on tf.tag_id = st.tag_id
    join home_feeds hf on hf.account_id = tf.account_id
    where s.id = ${statusId} and ${tagEligible('s')} and ${entersByTag('s', sql`tf.account_id`)}
    on conflict do nothing`.execute(ctx.db)
}

/**
 * Brings what a newly followed account wrote into the follower's feed, where there is one: also into one that is
 * being built, whose own reading may have begun before the follow.
 */
export async function mergeHome(ctx: Ctx, accountId: Id, targetId: Id): Promise<void> {
  await sql`
    insert into home_entries (account_id, status_id, reblog_of_id)
    select ${accountId}, m.id, m.reblog_of_id from (${statusesOf(accountId, targetId)}) m
    where exists (select 1 from home_feeds hf where hf.account_id = ${accountId})
      and (m.reblog_of_id is null or not exists (
        select 1 from home_entries h where h.account_id = ${accountId}
          and (h.status_id = m.reblog_of_id or h.reblog_of_id = m.reblog_of_id)))
    on conflict do nothing`.execute(ctx.db)
}

/** Why one account leaves the feed of another: it was unfollowed, muted or blocked by its owner, or blocks them. */
export type Departure = 'unfollow' | 'mute' | 'block' | 'blocked'

/**
 * Takes out of a feed what `targetId` wrote and, but for an unfollow, boosts of it; with a mute or block also what
 * names them. What followed tags bring stays after an unfollow. Does nothing when the reason has gone meanwhile.
 */
export async function unmergeHome(ctx: Ctx, accountId: Id, targetId: Id, why: Departure): Promise<void> {
  await awaitBuild(ctx, homeFeeds, accountId)
  await sql`
    delete from home_entries h using statuses s
    where h.account_id = ${accountId} and s.id = h.status_id and s.account_id <> ${accountId}
      and ${stillHolds(accountId, targetId, why)} and ${departing(accountId, targetId, why)}`.execute(ctx.db)
}

/** Part of the same statement as the deletion, so that a follow made meanwhile keeps what its merge brings. */
function stillHolds(accountId: Id, targetId: Id, why: Departure): RawBuilder<boolean> {
  if (why === 'unfollow') {
    return sql`not exists (select 1 from follows uf where uf.account_id = ${accountId} and uf.target_account_id = ${targetId})`
  }
  const [owner, other] = why === 'blocked' ? [targetId, accountId] : [accountId, targetId]
  return sql`exists (select 1 from ${sql.table(why === 'mute' ? 'mutes' : 'blocks')} ub
    where ub.account_id = ${owner} and ub.target_account_id = ${other})`
}

function departing(accountId: Id, targetId: Id, why: Departure): RawBuilder<boolean> {
  const written = sql<boolean>`s.account_id = ${targetId}`
  if (why === 'unfollow') return sql`(${written} and not ${broughtByTag(accountId)})`
  const boosted = sql`exists (select 1 from statuses o where o.id = s.reblog_of_id and o.account_id = ${targetId})`
  if (why === 'blocked') return sql`(${written} or ${boosted})`
  return sql`(${written} or ${boosted} or exists (
    select 1 from mentions m where m.status_id = coalesce(s.reblog_of_id, s.id) and m.account_id = ${targetId}))`
}

function broughtByTag(accountId: Id): RawBuilder<boolean> {
  return sql`(${tagEligible('s')} and ${entersByTag('s', sql`${accountId}::bigint`)} and exists (
    select 1 from status_tags ut join tag_follows uf on uf.tag_id = ut.tag_id
    where ut.status_id = s.id and uf.account_id = ${accountId}))`
}

/** Takes out of a feed what comes from a domain that its owner hides, and boosts of it. */
export async function unmergeDomain(ctx: Ctx, accountId: Id, domain: string): Promise<void> {
  await awaitBuild(ctx, homeFeeds, accountId)
  await sql`
    delete from home_entries h using statuses s
    where h.account_id = ${accountId} and s.id = h.status_id
      and exists (select 1 from account_domain_blocks d where d.account_id = ${accountId} and d.domain = ${domain})
      and exists (select 1 from accounts a left join statuses o on o.id = s.reblog_of_id
        where a.domain = ${domain} and a.id in (s.account_id, o.account_id))`.execute(ctx.db)
}

/** Cuts feeds to their cap and forgets those of people who have been away: they are rebuilt on return. */
export async function trimHomeFeeds(ctx: Ctx): Promise<void> {
  await sql`
    delete from home_feeds hf using users u
    where u.account_id = hf.account_id and u.last_active_at < ${new Date(ctx.clock.now() - activeFor)}`.execute(
    ctx.db,
  )
  await trimEntries(ctx, homeFeeds)
}
