import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { timeToId } from '#lib/ids.ts'
import { entersHome } from '#domain/timelines/home-rules.ts'
import { groupKey, previousGroupKey } from './group-key.ts'
import { filteredFor, mayNotify } from './may-notify.ts'

/**
 * Writes the notifications that `candidates` propose, a SELECT of account_id, from_account_id, type, status_id and
 * the time of the act. Again is fine. What may be undone is locked by the SELECT while this writes, so that the undo
 * comes after and finds the notification.
 */
async function notify(ctx: Ctx, candidates: RawBuilder<unknown>): Promise<void> {
  const now = ctx.clock.now()
  await sql`
    insert into notifications (id, account_id, from_account_id, type, status_id, group_key, filtered, created_at)
    with c (account_id, from_account_id, type, status_id, at) as (${candidates})
    select n.id, n.account_id, n.from_account_id, n.type, n.status_id, ${groupKey}, n.filtered, ${new Date(now)}
    from (
      select ${timeToId(now)}::bigint + (nextval('notification_ids') & 65535) as id, c.*,
        ${previousGroupKey} as previous_key, ${filteredFor} as filtered
      from c
      join accounts sender on sender.id = c.from_account_id
      left join statuses s on s.id = c.status_id
      where ${mayNotify(new Date(now))}) n
    on conflict do nothing`.execute(ctx.db)
}

/**
 * Tells those whom a new status names (`mention`), those who asked to hear of its author's posts (`status`) and the
 * author of what it boosts (`reblog`). Whoever is named hears of it once, as `mention`.
 */
export async function notifyOfStatus(ctx: Ctx, statusId: Id): Promise<void> {
  await notify(
    ctx,
    sql`
    with made as (select * from statuses where id = ${statusId} and deleted_at is null for share)
    select o.account_id, s.account_id, 'reblog', o.id, s.created_at
    from made s join statuses o on o.id = s.reblog_of_id
    union all
    select m.account_id, s.account_id, 'mention', s.id, s.created_at
    from made s join mentions m on m.status_id = s.id where s.reblog_of_id is null and not m.silent
    union all
    select f.account_id, s.account_id, 'status', s.id, s.created_at
    from made s join follows f on f.target_account_id = s.account_id and f.notify
    left join statuses o on o.id = s.reblog_of_id
    where s.reblog_of_id is null and (not s.reply or s.in_reply_to_account_id = s.account_id) and ${entersHome}
      and not exists (
        select 1 from mentions m where m.status_id = s.id and m.account_id = f.account_id and not m.silent)`,
  )
}

/** Tells an author of a favourite, while there is one. */
export async function notifyOfFavourite(ctx: Ctx, favourite: { accountId: Id; statusId: Id }): Promise<void> {
  await notify(
    ctx,
    sql`
    select s.account_id, f.account_id, 'favourite', s.id, f.created_at
    from favourites f join statuses s on s.id = f.status_id
    where f.account_id = ${favourite.accountId} and f.status_id = ${favourite.statusId} for key share of f`,
  )
}

/** Tells somebody of a new follower, while they follow. */
export async function notifyOfFollow(ctx: Ctx, pair: { accountId: Id; targetAccountId: Id }): Promise<void> {
  await notify(
    ctx,
    sql`
    select f.target_account_id, f.account_id, 'follow', null::bigint, f.created_at from follows f
    where f.account_id = ${pair.accountId} and f.target_account_id = ${pair.targetAccountId} for key share of f`,
  )
}

/** Tells somebody that a follower waits for their answer, while one does. */
export async function notifyOfFollowRequest(
  ctx: Ctx,
  pair: { accountId: Id; targetAccountId: Id },
): Promise<void> {
  await notify(
    ctx,
    sql`
    select f.target_account_id, f.account_id, 'follow_request', null::bigint, f.created_at from follow_requests f
    where f.account_id = ${pair.accountId} and f.target_account_id = ${pair.targetAccountId} for key share of f`,
  )
}
