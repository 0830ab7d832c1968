import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { spendOtpCode } from './otp.ts'
import { isOtpCode } from './otp-codes.ts'
import { spendRecoveryCode } from './recovery-codes.ts'

/** Whether it is a code of the user's app or one of their recovery codes. It does not count again. */
export function spendCode(ctx: Ctx, userId: Id, code: string): Promise<boolean> {
  return isOtpCode(code) ? spendOtpCode(ctx, userId, code) : spendRecoveryCode(ctx, userId, code)
}
