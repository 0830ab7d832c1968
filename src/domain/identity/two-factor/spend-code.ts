import type { Ctx } from '#ports/ctx.ts'
import { spendOtpCode } from './otp.ts'
import { isOtpCode } from './otp-codes.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import type { UserId } from '#lib/id.ts'

/** Whether it is a code of the user's app or one of their recovery codes. It does not count again. */
export function spendCode(ctx: Ctx, userId: UserId, code: string): Promise<boolean> {
  return isOtpCode(code) ? spendOtpCode(ctx, userId, code) : spendRecoveryCode(ctx, userId, code)
}
