import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { lockWaiting } from './approve.ts'
import { assertOutranks, type ActingStaff } from '../staff.ts'
import type { UserId } from '#lib/id.ts'

/**
 * Turns a waiting user away: nobody has ever seen their account, so it goes without a trace but in the audit log, and its
 * name and address are free again. False when they do not wait. Throws `forbidden` to staff who may not.
 */
export async function rejectUser(ctx: Ctx, staff: ActingStaff, userId: UserId): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const user = await lockWaiting(tx, userId)
    if (!user) return false
    await assertOutranks(tx, staff, user.accountId)
    await recordAction(tx, staff, {
      action: 'reject',
      targetType: 'user',
      targetId: userId,
      label: user.username,
    })
    await sql`delete from accounts where id = ${user.accountId}`.execute(tx.db)
    return true
  })
}
