// What becomes of somebody who waits for approval, by their account.
import type { Ctx } from '#ports/ctx.ts'
import { approveUser } from '#domain/identity/accounts/registration/approve.ts'
import { rejectUser } from '#domain/identity/accounts/registration/reject.ts'
import type { ActingStaff } from '#domain/identity/accounts/staff.ts'
import { forbidden } from '#lib/errors.ts'
import { findUserId } from './load-admin-accounts.ts'
import type { AccountId } from '#lib/id.ts'

/** Lets somebody in, or turns them away. Throws `forbidden` where nobody waits, and to staff who may not. */
export async function decideSignUp(
  ctx: Ctx,
  staff: ActingStaff,
  accountId: AccountId,
  decision: 'approve' | 'reject',
): Promise<void> {
  const userId = await findUserId(ctx, accountId)
  const decide = decision === 'approve' ? approveUser : rejectUser
  if (userId === null || !(await decide(ctx, staff, userId))) throw forbidden()
}
