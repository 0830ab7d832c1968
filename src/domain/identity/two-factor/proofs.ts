import type { Ctx } from '#ports/ctx.ts'
import { assertPassword } from '#domain/identity/accounts/registration/reset-password.ts'
import { openTicket, encryptTicket, type Holder } from './tickets.ts'
import type { UserId } from '#lib/id.ts'

/** That somebody has just shown to be this user. What changes second factors takes one, so that none can go without. */
export interface Proof {
  readonly userId: UserId
  readonly isProof: true
}

/** A ticket that proves who one is for ten minutes. Throws `invalid` for a wrong password. */
export async function proveByPassword(
  ctx: Ctx,
  holder: Holder,
  user: { userId: UserId; password: string },
): Promise<string> {
  await assertPassword(ctx, user.userId, user.password)
  return encryptTicket(ctx, 'proof', holder, { userId: user.userId })
}

/** The proof in a ticket of `proveByPassword`, or null: see `openTicket`. */
export function readProof(ctx: Ctx, holder: Holder, userId: UserId, ticket: string): Proof | null {
  const claims = openTicket(ctx, 'proof', holder, ticket)
  return claims?.['userId'] === userId ? { userId, isProof: true } : null
}
