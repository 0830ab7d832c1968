// The end of suspended accounts: when staff want it, or when their time is over.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import { forbidden, notFound } from '#lib/errors.ts'
import { assertOutranks, type ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { emptyLocalAccount, emptyRemoteAccount } from './delete-account.ts'
import type { AccountId } from '#lib/id.ts'

const batch = 100

/**
 * Deletes an account with all it has. Throws `not_found`, and `forbidden` to staff who may not, or when it is not
 * suspended here: only the command line need not suspend it first.
 */
export async function deleteAccountByStaff(
  ctx: Ctx,
  staff: ActingStaff,
  accountId: AccountId,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{
      username: string
      domain: string | null
      suspended: boolean
      by_origin: boolean
    }>`
      select username, domain, suspended_at is not null as suspended, suspended_by_origin as by_origin
      from accounts where id = ${accountId} and deleted_at is null for no key update`.execute(tx.db)
    const account = rows[0]
    if (!account) throw notFound()
    await assertOutranks(tx, staff, accountId)
    if (staff !== 'operator' && (!account.suspended || account.by_origin)) throw forbidden()
    await recordAction(tx, staff, {
      action: 'destroy',
      targetType: 'account',
      targetId: accountId,
      label: formatAcct(account.username, account.domain),
    })
    if (account.domain === null) await emptyLocalAccount(tx, accountId)
    else await emptyRemoteAccount(tx, accountId, true)
  })
}

/** Deletes the accounts of this server whose suspension has lasted its time. Idempotent. Returns how many. */
export async function deleteDueAccounts(ctx: Ctx): Promise<number> {
  let deleted = 0
  for (;;) {
    const due = await listDue(ctx)
    for (const id of due) deleted += Number(await deleteDue(ctx, id))
    if (due.length < batch) return deleted
  }
}

async function listDue(reader: Reader): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select id from accounts
    where deletion_due_at <= ${new Date(reader.clock.now())} and suspended_at is not null and deleted_at is null
    order by deletion_due_at limit ${batch}`.execute(reader.db)
  return rows.map((row) => row.id)
}

/** Somebody else may have deleted it meanwhile, or let it in again. */
async function deleteDue(ctx: Ctx, id: AccountId): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ username: string }>`
      select username from accounts
      where id = ${id} and suspended_at is not null and deleted_at is null
        and deletion_due_at <= ${new Date(tx.clock.now())} for no key update`.execute(tx.db)
    if (!rows[0]) return false
    await recordAction(tx, 'server', {
      action: 'destroy',
      targetType: 'account',
      targetId: id,
      label: rows[0].username,
    })
    await emptyLocalAccount(tx, id)
    return true
  })
}
