// What comes into a home feed that is there, and leaves it, when its owner's relationships change.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import { awaitBuild, homeFeeds } from './feed-tables.ts'
import { entersHome } from './home-rules.ts'
import { entersByTag, tagEligible } from './tag-rules.ts'
import type { AccountId } from '#lib/id.ts'

/** Statuses taken from one account when it is merged into a feed. */
const perMerge = 200

function statusesOf(accountId: AccountId, targetId: AccountId, now: Date): RawBuilder<unknown> {
  return sql`select s.id, s.reblog_of_id from follows f
    cross join lateral (
      select l.id, l.account_id, l.reblog_of_id, l.reply, l.in_reply_to_account_id, l.language, l.visibility, l.deleted_at
      from statuses l where l.account_id = f.target_account_id and l.deleted_at is null
      order by l.id desc limit ${perMerge}) s
    left join statuses o on o.id = s.reblog_of_id
    where f.account_id = ${accountId} and f.target_account_id = ${targetId} and ${entersHome({ status: 's', original: 'o', follow: 'f' }, now)}`
}

/**
 * Brings what a newly followed account wrote into the follower's feed, where there is one: also into one that is
 * being built, whose own reading may have begun before the follow.
 */
export async function mergeHome(ctx: Ctx, accountId: AccountId, targetId: AccountId): Promise<void> {
  await sql`
    insert into home_entries (account_id, status_id, reblog_of_id)
    select ${accountId}, m.id, m.reblog_of_id from (${statusesOf(accountId, targetId, new Date(ctx.clock.now()))}) m
    where exists (select 1 from home_feeds hf where hf.account_id = ${accountId})
      and (m.reblog_of_id is null or not exists (
        select 1 from home_entries h where h.account_id = ${accountId}
          and (h.status_id = m.reblog_of_id or h.reblog_of_id = m.reblog_of_id)))
    on conflict do nothing`.execute(ctx.db)
}

/** Why one account leaves the feed of another: it was unfollowed, muted or blocked by its owner, or blocks them. */
export type Departure = 'unfollow' | 'mute' | 'block' | 'blocked'

interface Pair {
  accountId: AccountId
  targetId: AccountId
}

/**
 * Takes out of a feed what `targetId` wrote and, but for an unfollow, boosts of it; with a mute or block also what
 * names them. What followed tags bring stays after an unfollow. Does nothing when the reason has gone meanwhile.
 */
export async function unmergeHome(
  ctx: Ctx,
  accountId: AccountId,
  targetId: AccountId,
  why: Departure,
): Promise<void> {
  await awaitBuild(ctx, homeFeeds, accountId)
  const [pair, now] = [{ accountId, targetId }, new Date(ctx.clock.now())]
  await sql`
    delete from home_entries h using statuses s
    where h.account_id = ${accountId} and s.id = h.status_id and s.account_id <> ${accountId}
      and ${stillHolds(pair, why, now)} and ${departing(pair, why, now)}`.execute(ctx.db)
}

/** Part of the same statement as the deletion, so that a follow made meanwhile keeps what its merge brings. */
function stillHolds({ accountId, targetId }: Pair, why: Departure, now: Date): RawBuilder<boolean> {
  if (why === 'unfollow') {
    return sql`not exists (select 1 from follows uf where uf.account_id = ${accountId} and uf.target_account_id = ${targetId})`
  }
  if (why === 'mute') return isMuted({ muter: accountId, muted: targetId }, now)
  const [owner, other] = why === 'blocked' ? [targetId, accountId] : [accountId, targetId]
  return sql`exists (select 1 from blocks ub
    where ub.account_id = ${owner} and ub.target_account_id = ${other})`
}

function departing({ accountId, targetId }: Pair, why: Departure, now: Date): RawBuilder<boolean> {
  const written = sql<boolean>`s.account_id = ${targetId}`
  if (why === 'unfollow') return sql`(${written} and not ${broughtByTag(accountId, now)})`
  const boosted = sql`exists (select 1 from statuses o where o.id = s.reblog_of_id and o.account_id = ${targetId})`
  if (why === 'blocked') return sql`(${written} or ${boosted})`
  return sql`(${written} or ${boosted} or exists (
    select 1 from mentions m where m.status_id = coalesce(s.reblog_of_id, s.id) and m.account_id = ${targetId}))`
}

function broughtByTag(accountId: AccountId, now: Date): RawBuilder<boolean> {
  return sql`(${tagEligible('s')} and ${entersByTag('s', sql`${accountId}::bigint`, now)} and exists (
    select 1 from status_tags ut join tag_follows uf on uf.tag_id = ut.tag_id
    where ut.status_id = s.id and uf.account_id = ${accountId}))`
}

/** Takes out of a feed what comes from a domain that its owner hides, and boosts of it. */
export async function unmergeDomain(ctx: Ctx, accountId: AccountId, domain: string): Promise<void> {
  await awaitBuild(ctx, homeFeeds, accountId)
  await sql`
    delete from home_entries h using statuses s
    where h.account_id = ${accountId} and s.id = h.status_id
      and exists (select 1 from account_domain_blocks d where d.account_id = ${accountId} and d.domain = ${domain})
      and exists (select 1 from accounts a left join statuses o on o.id = s.reblog_of_id
        where a.domain = ${domain} and a.id in (s.account_id, o.account_id))`.execute(ctx.db)
}
