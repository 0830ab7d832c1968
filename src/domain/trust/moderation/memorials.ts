import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { forbidden } from '#lib/errors.ts'
import { assertOutranks, type ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { endAllSessions } from '#domain/identity/oauth/sessions.ts'
import { actionOn, lockTarget } from './target-account.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * Makes the account of somebody who has died a memorial, or a usual one again: what they wrote stays, and nobody signs in.
 * Throws `not_found`, and `forbidden` for accounts of other servers and to staff who may not.
 */
export async function setMemorial(
  ctx: Ctx,
  staff: ActingStaff,
  accountId: AccountId,
  memorial: boolean,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const target = await lockTarget(tx, accountId)
    await assertOutranks(tx, staff, accountId)
    if (target.userId === null) throw forbidden()
    await sql`
      update accounts set memorial = ${memorial}, version = version + 1, updated_at = ${new Date(tx.clock.now())}
      where id = ${accountId}`.execute(tx.db)
    if (memorial) await endAllSessions(tx, target.userId)
    await recordAction(tx, staff, actionOn(target, memorial ? 'memorialize' : 'unmemorialize'))
    await tx.emit({ type: 'account.limits-changed', accountId })
    await tx.emit({ type: 'account.updated', accountId })
  })
}
