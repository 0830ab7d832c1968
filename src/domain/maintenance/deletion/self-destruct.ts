// The end of a server that takes leave of the fediverse: others are told to forget all its people.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { writeSettings } from '#domain/server/instance/settings.ts'
import { awaitDeliveries } from '#domain/federation/queue/await-deliveries.ts'
import { emptyLocalAccount } from './delete-account.ts'
import type { AccountId } from '#lib/id.ts'

const batch = 20

export interface SelfDestruction {
  /** Accounts of this server that are still there. */
  accounts: number
  /** Other servers that may know of them. */
  servers: number
}

/** What there would be to do. */
export async function describeSelfDestruction(reader: Reader): Promise<SelfDestruction> {
  const { rows } = await sql<SelfDestruction>`
    select (select count(*)::int from accounts where domain is null and deleted_at is null) as accounts,
      (select count(distinct uri_host)::int from accounts where uri_host is not null and deleted_at is null) as servers`.execute(
    reader.db,
  )
  return rows[0] as SelfDestruction
}

export interface SelfDestructOptions {
  /** Called after each account. */
  onDone?: () => void
}

/**
 * Closes registrations, ends all invites, shuts everybody out, and deletes all accounts of this server, each with a
 * Delete to every other server; no faster than those can be sent. Cannot be undone. Goes on where it was left when it is
 * run again. Returns false when nobody sends what waits: the rest is to be done while the server runs.
 */
export async function selfDestruct(
  ctx: Ctx,
  staff: Staff,
  { onDone = () => {} }: SelfDestructOptions = {},
): Promise<boolean> {
  await shutOut(ctx, staff)
  for (;;) {
    const ids = await listLeft(ctx)
    for (const id of ids) {
      await ctx.transaction((tx) => emptyIfThere(tx, id))
      onDone()
    }
    if (ids.length < batch) return true
    if (!(await awaitDeliveries(ctx))) return false
  }
}

async function shutOut(ctx: Ctx, staff: Staff): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = new Date(tx.clock.now())
    await writeSettings(tx, { registrations_mode: 'none' })
    await sql`
      update invites set expires_at = ${now} where expires_at is null or expires_at > ${now}`.execute(tx.db)
    await sql`update users set disabled = true where not disabled`.execute(tx.db)
    const { accounts } = await describeSelfDestruction(tx)
    await recordAction(tx, staff, {
      action: 'self_destruct',
      targetType: 'instance',
      label: tx.config.localDomain,
      details: { accounts },
    })
  })
}

/** Somebody may be deleting it at the same time. */
async function emptyIfThere(tx: Tx, id: AccountId): Promise<void> {
  await emptyLocalAccount(tx, id).catch((error: unknown) => {
    if (!isAppError(error, 'not_found')) throw error
  })
}

async function listLeft(reader: Reader): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select id from accounts where domain is null and deleted_at is null order by id desc limit ${batch}`.execute(
    reader.db,
  )
  return rows.map((row) => row.id)
}
