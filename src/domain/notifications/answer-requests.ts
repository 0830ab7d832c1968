import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import type { Viewer } from '#domain/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { mergeWhereWelcome, type SetAside } from './merge.ts'

/** Notifications that one statement deletes. */
const batch = 1000

/**
 * Lets the senders of these requests through, for good; what is set aside of them comes into the list by the event.
 * Requests of others and unknown ones are left out. Answers how many there were.
 */
export async function acceptRequests(ctx: Ctx, viewer: Viewer, ids: readonly Id[]): Promise<number> {
  return ctx.transaction(async (tx) => {
    const gone = await takeRequests(tx, viewer, ids)
    for (const fromAccountId of gone) {
      const pair = { accountId: viewer.accountId, fromAccountId }
      await sql`
        insert into notification_permissions (account_id, from_account_id, created_at)
        values (${pair.accountId}, ${pair.fromAccountId}, ${new Date(tx.clock.now())})
        on conflict do nothing`.execute(tx.db)
      await tx.emit({ type: 'notification-request.accepted', ...pair })
    }
    return gone.length
  })
}

/**
 * Throws away what is set aside of these senders; what comes later raises a request anew. Requests of others and
 * unknown ones are left out. Answers how many there were.
 */
export async function dismissRequests(ctx: Ctx, viewer: Viewer, ids: readonly Id[]): Promise<number> {
  return ctx.transaction(async (tx) => {
    const gone = await takeRequests(tx, viewer, ids)
    for (const fromAccountId of gone) {
      const pair = { accountId: viewer.accountId, fromAccountId }
      const { rows } = await sql<{ id: Id | null }>`
        select max(id) as id from notifications
        where account_id = ${pair.accountId} and from_account_id = ${pair.fromAccountId} and filtered`.execute(
        tx.db,
      )
      const upTo = rows[0]?.id
      if (upTo) await tx.emit({ type: 'notification-request.dismissed', ...pair, upTo })
    }
    return gone.length
  })
}

/** As `acceptRequests` for one. Throws `not_found`. */
export async function acceptRequest(ctx: Ctx, viewer: Viewer, id: Id): Promise<void> {
  if ((await acceptRequests(ctx, viewer, [id])) === 0) throw notFound()
}

/** As `dismissRequests` for one. Throws `not_found`. */
export async function dismissRequest(ctx: Ctx, viewer: Viewer, id: Id): Promise<void> {
  if ((await dismissRequests(ctx, viewer, [id])) === 0) throw notFound()
}

/** Their senders. Always in the same order, so that two answers at once do not wait for each other. */
async function takeRequests(tx: Tx, viewer: Viewer, ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ from_account_id: Id }>`
    with mine as (
      select id from notification_requests
      where id = any(${ids}::bigint[]) and account_id = ${viewer.accountId} order by id for update)
    delete from notification_requests r using mine where r.id = mine.id returning r.from_account_id`.execute(
    tx.db,
  )
  return rows.map((row) => row.from_account_id)
}

/** Brings what was set aside of an accepted sender into the list and says when it is there. Safe to run again. */
export async function mergeAccepted(ctx: Ctx, pair: SetAside): Promise<void> {
  await mergeWhereWelcome(ctx, pair)
  await ctx.transaction((tx) => tx.emit({ type: 'notifications.merged', accountId: pair.accountId }))
}

/** Deletes what was set aside of a dismissed sender until then. Safe to run again. */
export async function deleteDismissed(ctx: Ctx, gone: SetAside & { upTo: Id }): Promise<void> {
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
