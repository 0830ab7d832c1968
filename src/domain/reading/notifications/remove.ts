// Takes back notifications whose cause is gone. Each looks whether it is: the cause may have come again meanwhile.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { belongsTo } from './group-key.ts'
import { staffMention } from './may-notify.ts'
import type { AccountId, CollectionId, NotificationId, StatusId } from '#lib/id.ts'

interface Pair {
  accountId: AccountId
  targetAccountId: AccountId
}

/** The notification of a favourite that was taken back. */
export async function removeFavouriteNotification(
  ctx: Ctx,
  gone: { accountId: AccountId; statusId: StatusId },
): Promise<void> {
  await sql`
    delete from notifications n
    where n.type = 'favourite' and n.from_account_id = ${gone.accountId} and n.status_id = ${gone.statusId}
      and not exists (
        select 1 from favourites f where f.account_id = n.from_account_id and f.status_id = n.status_id)`.execute(
    ctx.db,
  )
}

/** A status that was deleted, perhaps a boost. */
export interface GoneStatus {
  statusId: StatusId
  accountId: AccountId
  reblogOfId: StatusId | null
}

/** All notifications about deleted statuses, and of those that were boosts, the ones about that. */
export async function removeStatusNotifications(ctx: Ctx, gone: readonly GoneStatus[]): Promise<void> {
  await sql`
    delete from notifications n
    where n.status_id = any(${gone.map((one) => one.statusId)}::bigint[])
      and not exists (select 1 from statuses s where s.id = n.status_id and s.deleted_at is null)`.execute(
    ctx.db,
  )
  const boosts = gone.filter((one) => one.reblogOfId !== null)
  if (boosts.length === 0) return
  const [booster, boosted] = [boosts.map((one) => one.accountId), boosts.map((one) => one.reblogOfId)]
  await sql`
    delete from notifications n using unnest(${booster}::bigint[], ${boosted}::bigint[]) g (account_id, status_id)
    where n.type = 'reblog' and n.from_account_id = g.account_id and n.status_id = g.status_id
      and not exists (
        select 1 from statuses b
        where b.reblog_of_id = n.status_id and b.account_id = n.from_account_id and b.deleted_at is null)`.execute(
    ctx.db,
  )
}

/** Those of quotes of statuses that hold no more, or of one quote. */
export async function removeQuoteNotifications(
  ctx: Ctx,
  gone: { quotedStatusIds: readonly StatusId[] } | { statusId: StatusId },
): Promise<void> {
  const of =
    'statusId' in gone
      ? sql`array[${gone.statusId}::bigint]`
      : sql`array(select status_id from quotes where quoted_status_id = any(${gone.quotedStatusIds}::bigint[]))`
  await sql`
    delete from notifications n
    where n.type = 'quote' and n.status_id = any(${of})
      and not exists (
        select 1 from quotes q
        where q.status_id = n.status_id and q.quoted_account_id = n.account_id and q.state = 'accepted')`.execute(
    ctx.db,
  )
}

/** Those of a follow or a request of one account to another that is there no more. */
export async function removeFollowNotifications(ctx: Ctx, pair: Pair): Promise<void> {
  await sql`
    delete from notifications n
    where n.account_id = ${pair.targetAccountId} and n.from_account_id = ${pair.accountId}
      and ((n.type = 'follow' and not exists (
          select 1 from follows f where f.account_id = n.from_account_id and f.target_account_id = n.account_id))
        or (n.type = 'follow_request' and not exists (
          select 1 from follow_requests f
          where f.account_id = n.from_account_id and f.target_account_id = n.account_id)))`.execute(ctx.db)
}

/**
 * All that a blocked account caused, but for what staff have written since: this may run late. Whether it was let
 * through is forgotten.
 */
export async function removeBlockedNotifications(ctx: Ctx, pair: Pair): Promise<void> {
  await sql`
    delete from notifications c using blocks b
    where c.account_id = ${pair.accountId} and c.from_account_id = ${pair.targetAccountId}
      and b.account_id = c.account_id and b.target_account_id = c.from_account_id
      and not (${staffMention('c')} and c.created_at > b.created_at)`.execute(ctx.db)
  await sql`
    delete from notification_permissions p using blocks b
    where p.account_id = ${pair.accountId} and p.from_account_id = ${pair.targetAccountId}
      and b.account_id = p.account_id and b.target_account_id = p.from_account_id`.execute(ctx.db)
}

/**
 * All that accounts of a blocked domain caused, but for those the blocking account follows. Whether they were let
 * through is forgotten.
 */
export async function removeDomainNotifications(
  ctx: Ctx,
  block: { accountId: AccountId; domain: string },
): Promise<void> {
  await sql`
    delete from notifications n using accounts a
    where n.account_id = ${block.accountId} and a.id = n.from_account_id and a.domain = ${block.domain}
      and exists (
        select 1 from account_domain_blocks d where d.account_id = n.account_id and d.domain = a.domain)
      and not exists (
        select 1 from follows f
        where f.account_id = n.account_id and f.target_account_id = n.from_account_id)`.execute(ctx.db)
  await sql`
    delete from notification_permissions p using accounts a
    where p.account_id = ${block.accountId} and a.id = p.from_account_id and a.domain = ${block.domain}
      and exists (
        select 1 from account_domain_blocks d where d.account_id = p.account_id and d.domain = a.domain)`.execute(
    ctx.db,
  )
}

/** What an account was told of a collection that it is in no more. */
export async function removeCollectionNotifications(
  ctx: Ctx,
  gone: { collectionId: CollectionId; accountId: AccountId },
): Promise<void> {
  await sql`
    delete from notifications n
    where n.collection_id = ${gone.collectionId} and n.account_id = ${gone.accountId}
      and not exists (
        select 1 from collection_items i
        where i.collection_id = n.collection_id and i.account_id = n.account_id and i.state = 'accepted')`.execute(
    ctx.db,
  )
}

/** Deletes one of the viewer's own. Throws `not_found`. */
export async function dismissNotification(ctx: Ctx, viewer: Viewer, id: NotificationId): Promise<void> {
  const { rows } = await sql`
    delete from notifications where id = ${id} and account_id = ${viewer.accountId} returning id`.execute(
    ctx.db,
  )
  if (rows.length === 0) throw notFound()
}

/** Deletes all of the viewer's that are in one group; fine when there is none. */
export async function dismissGroup(ctx: Ctx, viewer: Viewer, key: string): Promise<void> {
  await sql`delete from notifications n where n.account_id = ${viewer.accountId} and ${belongsTo('n', key)}`.execute(
    ctx.db,
  )
}

/** Deletes all of the viewer's. */
export async function clearNotifications(ctx: Ctx, viewer: Viewer): Promise<void> {
  await sql`delete from notifications where account_id = ${viewer.accountId}`.execute(ctx.db)
}
