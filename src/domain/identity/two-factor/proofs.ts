import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { assertPassword } from '#domain/identity/accounts/registration/reset-password.ts'
import { openTicket, encryptTicket, type Holder } from './tickets.ts'

/** That somebody has just shown to be this user. What changes second factors takes one, so that none can go without. */
export interface Proof {
  readonly userId: Id
  readonly isProof: true
}

/** A ticket that proves who one is for ten minutes. Throws `invalid` for a wrong password. */
export async function proveByPassword(
  ctx: Ctx,
  holder: Holder,
  user: { userId: Id; password: string },
): Promise<string> {
  await assertPassword(ctx, user.userId, user.password)
  return encryptTicket(ctx, 'proof', holder, { userId: user.userId })
}

/** The proof in a ticket of `proveByPassword`, or null: see `openTicket`. */
export function readProof(ctx: Ctx, holder: Holder, userId: Id, ticket: string): Proof | null {
  const claims = openTicket(ctx, 'proof', holder, ticket)
  return claims?.['userId'] === userId ? { userId, isProof: true } : null
}
