import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { getVisibleStatus } from '../queries.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** Statuses an account may pin to its profile. */
const maxPins = 5

/** Pins one's own status to the profile. Idempotent. Throws `not_found`, or `invalid` with Mastodon's words. */
export async function pinStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<StatusId> {
  const status = await getVisibleStatus(ctx, viewer.accountId, id)
  if (status.reblog_of_id !== null) throw invalid('base', 'boost_pinned')
  if (status.account_id !== viewer.accountId) throw invalid('base', 'others_post_pinned')
  if (status.visibility === 'direct') {
    throw invalid('base', 'mentioned_only_pinned')
  }
  await ctx.transaction((tx) => insertPin(tx, viewer.accountId, id))
  return id
}

/**
 * The account's row is locked, so that two pins at once cannot both be the fifth: by a statement of its own, since
 * one that waited for the lock would still see the pins of before. So is the status: a deletion finds the pin.
 */
async function insertPin(tx: Tx, accountId: AccountId, id: StatusId): Promise<void> {
  const { rows: held } = await sql`
    select 1 from statuses where id = ${id} and deleted_at is null for share`.execute(tx.db)
  if (held.length === 0) throw notFound()
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
  const { rows } = await sql<{ status_id: StatusId }>`
    select status_id from status_pins where account_id = ${accountId}`.execute(tx.db)
  if (rows.some((row) => row.status_id === id)) return
  if (rows.length >= maxPins) throw invalid('base', 'too_many_pins')
  await tx.db
    .insertInto('status_pins')
    .values({ id: tx.newId(), account_id: accountId, status_id: id, created_at: new Date(tx.clock.now()) })
    .execute()
  await tx.emit({ type: 'status.pinned', accountId, statusId: id })
}

/** Takes a status off the profile. Idempotent. */
export async function unpinStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<StatusId> {
  const status = await getVisibleStatus(ctx, viewer.accountId, id)
  await ctx.transaction(async (tx) => {
    const gone = await tx.db
      .deleteFrom('status_pins')
      .where('status_id', '=', id)
      .where('account_id', '=', viewer.accountId)
      .returning('id')
      .executeTakeFirst()
    if (gone) await tx.emit({ type: 'status.unpinned', accountId: viewer.accountId, statusId: id })
  })
  return status.id
}
