// Between the right password and the second factor. It is no session: nothing can be done with it but to go on.
import type { Ctx } from '#ports/ctx.ts'
import { openTicket, encryptTicket, type Holder } from '#domain/identity/two-factor/tickets.ts'
import { nameSecret, sameSecret } from '#lib/secrets.ts'
import { findLoginById, type Login } from './login.ts'
import { asId, type UserId } from '#lib/id.ts'

/** A ticket for somebody who has given the right password. It holds for ten minutes, in this browser. */
export function startAttempt(ctx: Ctx, holder: Holder, { userId, passwordHash }: Login): string {
  return encryptTicket(ctx, 'attempt', holder, { userId, password: markOf(passwordHash) })
}

/**
 * Whose second factor is waited for. Null when the ticket is old or of another browser, and when since then the password
 * was changed, the login was closed or its factors were taken.
 */
export async function findAttempt(ctx: Ctx, holder: Holder, ticket: string): Promise<Login | null> {
  const claims = openTicket(ctx, 'attempt', holder, ticket)
  const login = claims && (await findLoginById(ctx, asId<UserId>(claims['userId'] ?? '0')))
  if (!login || login.refusal || login.factor !== 'on') return null
  return sameSecret(claims['password'] ?? '', markOf(login.passwordHash)) ? login : null
}

const markOf = (passwordHash: string) => nameSecret(passwordHash)
