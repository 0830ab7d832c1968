import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import { activeFor } from '#domain/identity/accounts/record-activity.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { listLists } from '#domain/reading/lists/queries.ts'
import { bringBackUnmuted } from './end-mutes.ts'
import {
  feedCap,
  listFeeds,
  lookedUpInOrder,
  notRecentlyThere,
  perRebuild,
  readFeed,
  rebuildReach,
  trimEntries,
  writeFeed,
} from './feed-tables.ts'
import { entersList } from './list-rules.ts'
import type { AccountId, ListId, StatusId } from '#lib/id.ts'

/** Events looked through for posts that are still on their way into a feed. */
const waitingEvents = 200

/**
 * The ids of a page of a list's feed. Builds the feed first when there is none, or when something has changed about
 * who and what belongs there. Throws `not_found` for what is not the viewer's.
 */
export async function listListStatuses(
  ctx: Ctx,
  viewer: Viewer,
  listId: ListId,
  page: PageRequest,
): Promise<Page<StatusId>> {
  const { behind } = await getFeedState(ctx, viewer.accountId, listId)
  if (behind && page.maxId === undefined) await catchUp(ctx, listId)
  const { accountId } = viewer
  const rebuild = () => rebuildList(ctx, listId)
  const endMutes = () => bringBackUnmuted(ctx, accountId)
  return readFeed(ctx, listFeeds, { id: listId, accountId, rebuild, endMutes }, page)
}

/** Posts whose effects have not run yet. Events that a process holds stand in the outbox until they are done. */
const onTheirWay: RawBuilder<unknown> = sql`
  select (w.event ->> 'statusId')::bigint as id from (
    select event from outbox where failed_at is null order by id desc limit ${waitingEvents}) w
  where w.event ->> 'type' = 'status.created'`

/**
 * List timelines are read right after a member has posted, also before the worker has come to it: the feed is `behind`
 * then. Throws `not_found`.
 */
async function getFeedState(
  reader: Reader,
  accountId: AccountId,
  listId: ListId,
): Promise<{ behind: boolean }> {
  const { rows } = await sql<{ behind: boolean }>`
    select exists (
      select 1 from (${onTheirWay}) p join statuses s on s.id = p.id
      join list_accounts la on la.list_id = l.id and la.account_id = s.account_id offset 0) as behind
    from lists l where l.id = ${listId} and l.account_id = ${accountId}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

async function catchUp(ctx: Ctx, listId: ListId): Promise<void> {
  await insertEntries(ctx, sql`s.id = any(array(${onTheirWay})) and l.id = ${listId}`)
}

/** Puts a new status into the feeds of the lists that have its author. Safe to run again. */
export async function fanOutLists(ctx: Ctx, statusId: StatusId): Promise<void> {
  await insertEntries(ctx, sql`s.id = ${statusId}`)
}

/** `which` is a condition on `s` and `l`. Of several boosts of one status that come at once the oldest enters. */
async function insertEntries(ctx: Ctx, which: RawBuilder<boolean>): Promise<void> {
  await sql`
    insert into list_entries (list_id, status_id, reblog_of_id)
    select distinct on (l.id, coalesce(s.reblog_of_id, s.id)) l.id, s.id, s.reblog_of_id
    from statuses s
    join list_accounts la on la.account_id = s.account_id
    join list_feeds lf on lf.list_id = la.list_id
    join lists l on l.id = la.list_id
    left join follows f on f.account_id = l.account_id and f.target_account_id = s.account_id
    left join statuses o on o.id = s.reblog_of_id
    where ${which} and ${entersList({ status: 's', original: 'o', follow: 'f', list: 'l' }, new Date(ctx.clock.now()))} and ${notRecentlyThere(listFeeds, 's', sql`l.id`)}
    order by l.id, coalesce(s.reblog_of_id, s.id), s.id
    on conflict do nothing`.execute(ctx.db)
}

/** Writes a list's feed anew, unless somebody has just done so. `anew` does it in any case. */
async function rebuildList(ctx: Ctx, listId: ListId, { anew = false } = {}): Promise<void> {
  await sql`
    insert into list_feeds (list_id, account_id) select id, account_id from lists where id = ${listId}
    on conflict do nothing`.execute(ctx.db)
  // Whoever changes the list has it locked: one of the two waits for what the other has written.
  const hold = sql`select 1 from lists where id = ${listId} for share`
  await writeFeed(ctx, listFeeds, listId, {
    source: statusesOfMembers(listId, new Date(ctx.clock.now())),
    anew,
    hold,
  })
}

/** Writes the feeds of all lists of an account anew. */
export async function rebuildLists(ctx: Ctx, accountId: AccountId): Promise<void> {
  for (const list of await listLists(ctx, accountId)) await rebuildList(ctx, list.id, { anew: true })
}

/** As for home: see `followedStatuses`. */
function statusesOfMembers(listId: ListId, now: Date): RawBuilder<unknown> {
  return sql`select s.id, s.reblog_of_id from (
      select n.id from list_accounts la cross join lateral (
        select id from statuses where account_id = la.account_id and deleted_at is null
        order by id desc limit ${perRebuild}) n
      where la.list_id = ${listId} order by n.id desc limit ${rebuildReach}) newest
    ${lookedUpInOrder(sql`newest.id`)}
    cross join lateral (select id, account_id, replies_policy from lists where id = ${listId} offset 0) l
    left join lateral (
      select id, account_id, show_reblogs, languages from follows
      where account_id = l.account_id and target_account_id = s.account_id offset 0) f on true
    where ${entersList({ status: 's', original: 'o', follow: 'f', list: 'l' }, now)}
    order by newest.id desc limit ${feedCap}`
}

/** Cuts list feeds to their cap and forgets those of people who have been away, and of lists that are gone. */
export async function trimListFeeds(ctx: Ctx): Promise<void> {
  await sql`
    delete from list_feeds lf where not exists (
      select 1 from lists l join users u on u.account_id = l.account_id
      where l.id = lf.list_id and (u.last_active_at < ${new Date(ctx.clock.now() - activeFor)}) is not true)`.execute(
    ctx.db,
  )
  await trimEntries(ctx, listFeeds)
}
