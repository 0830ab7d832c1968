import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/**
 * Makes these the pinned statuses of an account of another server, the first one on top. Those that are not its own,
 * or not open to all or its followers, are left out.
 */
export async function replaceRemotePins(
  ctx: Ctx,
  accountId: AccountId,
  statusIds: readonly StatusId[],
): Promise<void> {
  const now = new Date(ctx.clock.now())
  const ordered = statusIds.toReversed()
  await ctx.transaction(async (tx) => {
    await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
    await sql`delete from status_pins where account_id = ${accountId}`.execute(tx.db)
    await sql`
      insert into status_pins (id, account_id, status_id, created_at)
      select w.id, ${accountId}, s.id, ${now}
      from unnest(${ordered.map(() => tx.newId())}::bigint[], ${ordered}::bigint[]) w (id, status_id)
      join statuses s on s.id = w.status_id
      where s.account_id = ${accountId} and s.deleted_at is null and s.reblog_of_id is null
        and s.visibility in ('public', 'unlisted', 'private')
      on conflict (status_id) do nothing`.execute(tx.db)
  })
}

const maxPins = 20

/** Pins one more status of an account of another server, under the same rules. Idempotent. */
export async function addRemotePin(ctx: Ctx, accountId: AccountId, statusId: StatusId): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
    await sql`
      insert into status_pins (id, account_id, status_id, created_at)
      select ${tx.newId()}, ${accountId}, s.id, ${new Date(tx.clock.now())} from statuses s
      where s.id = ${statusId} and s.account_id = ${accountId} and s.deleted_at is null and s.reblog_of_id is null
        and s.visibility in ('public', 'unlisted', 'private')
        and (select count(*) from status_pins p where p.account_id = ${accountId}) < ${maxPins}
      on conflict (status_id) do nothing`.execute(tx.db)
  })
}

/** Takes a status of another server off its author's profile. Idempotent. */
export async function removeRemotePin(ctx: Ctx, accountId: AccountId, statusId: StatusId): Promise<void> {
  await sql`delete from status_pins where account_id = ${accountId} and status_id = ${statusId}`.execute(
    ctx.db,
  )
}
