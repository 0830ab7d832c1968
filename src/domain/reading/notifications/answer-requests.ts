import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { mergeWhereAllowed, type SetAside } from './merge.ts'
import type { AccountId, IdCursor, NotificationRequestId } from '#lib/id.ts'

/** Notifications that one statement deletes. */
const batch = 1000
/** Requests that one transaction answers when all are meant. */
const manyRequests = 100

/**
 * Lets the senders of these requests through, for good; what is set aside of them comes into the list by the event.
 * Without ids, those of all requests that wait. Requests of others and unknown ones are left out. Returns how many
 * there were.
 */
export async function acceptRequests(
  ctx: Ctx,
  viewer: Viewer,
  ids?: readonly NotificationRequestId[],
): Promise<number> {
  return answerRequests(ctx, viewer, ids, async (tx, pair) => {
    await sql`
      insert into notification_permissions (account_id, from_account_id, created_at)
      values (${pair.accountId}, ${pair.fromAccountId}, ${new Date(tx.clock.now())})
      on conflict do nothing`.execute(tx.db)
    await tx.emit({ type: 'notification-request.accepted', ...pair })
  })
}

/**
 * Throws away what is set aside of these senders; what comes later raises a request anew. Without ids, of all senders
 * who wait. Requests of others and unknown ones are left out. Returns how many there were.
 */
export async function dismissRequests(
  ctx: Ctx,
  viewer: Viewer,
  ids?: readonly NotificationRequestId[],
): Promise<number> {
  return answerRequests(ctx, viewer, ids, async (tx, pair) => {
    const { rows } = await sql<{ id: NotificationRequestId | null }>`
      select max(id) as id from notifications
      where account_id = ${pair.accountId} and from_account_id = ${pair.fromAccountId} and filtered`.execute(
      tx.db,
    )
    const upTo = rows[0]?.id
    if (upTo) await tx.emit({ type: 'notification-request.dismissed', ...pair, upTo })
  })
}

/** As `acceptRequests` for one. Throws `not_found`. */
export async function acceptRequest(ctx: Ctx, viewer: Viewer, id: NotificationRequestId): Promise<void> {
  if ((await acceptRequests(ctx, viewer, [id])) === 0) throw notFound()
}

/** As `dismissRequests` for one. Throws `not_found`. */
export async function dismissRequest(ctx: Ctx, viewer: Viewer, id: NotificationRequestId): Promise<void> {
  if ((await dismissRequests(ctx, viewer, [id])) === 0) throw notFound()
}

type Answer = (tx: Tx, pair: SetAside) => Promise<void>

/** Does this for the sender of each request and ends the request. All of them, without ids, are many: by and by. */
async function answerRequests(
  ctx: Ctx,
  viewer: Viewer,
  ids: readonly NotificationRequestId[] | undefined,
  answer: Answer,
): Promise<number> {
  const { accountId } = viewer
  for (let answered = 0; ;) {
    const taken = await ctx.transaction(async (tx) => {
      const senders = await takeRequests(tx, accountId, ids ?? null)
      for (const fromAccountId of senders) await answer(tx, { accountId, fromAccountId })
      return senders.length
    })
    answered += taken
    if (ids !== undefined || taken < manyRequests) return answered
  }
}

/** Their senders; null: of the oldest ones. In the same order always, so that two answers at once cannot deadlock. */
async function takeRequests(
  tx: Tx,
  accountId: AccountId,
  ids: readonly NotificationRequestId[] | null,
): Promise<AccountId[]> {
  const wanted = ids === null ? sql`true` : sql`id = any(${ids}::bigint[])`
  const limit = ids === null ? sql`limit ${manyRequests}` : sql``
  const { rows } = await sql<{ from_account_id: AccountId }>`
    with mine as (
      select id from notification_requests
      where ${wanted} and account_id = ${accountId} order by id ${limit} for update)
    delete from notification_requests r using mine where r.id = mine.id returning r.from_account_id`.execute(
    tx.db,
  )
  return rows.map((row) => row.from_account_id)
}

/** Brings what was set aside of an accepted sender into the list and says when it is there. Safe to run again. */
export async function mergeAccepted(ctx: Ctx, pair: SetAside): Promise<void> {
  await mergeWhereAllowed(ctx, pair)
  await ctx.transaction((tx) => tx.emit({ type: 'notifications.merged', accountId: pair.accountId }))
}

/** Deletes what was set aside of a dismissed sender until then. Safe to run again. */
export async function deleteDismissed(ctx: Ctx, gone: SetAside & { upTo: IdCursor }): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      delete from notifications where id in (
        select n.id from notifications n
        where n.account_id = ${gone.accountId} and n.from_account_id = ${gone.fromAccountId}
          and n.filtered and n.id <= ${gone.upTo} limit ${batch})
      returning id`.execute(ctx.db)
    if (rows.length < batch) return
  }
}
