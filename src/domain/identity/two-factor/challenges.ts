// Challenges for passkeys (Web Authentication section 13.4.3): each counts once, for five minutes, in one browser.
import { unavailable } from '#lib/errors.ts'
import { nameSecret, newSecret } from '#lib/secrets.ts'
import type { Ctx } from '#ports/ctx.ts'
import { openTicket, encryptTicket, ticketLifetimes, type Holder } from './tickets.ts'

export type Ceremony = 'new-passkey' | 'passkey-sign-in' | 'passkey-factor'

export interface Challenge {
  /** In base64url. */
  challenge: string
  /** Comes back with the answer. */
  ticket: string
}

/** A new challenge. `about`: what it is bound to besides the browser, such as the user. */
export function newChallenge(ctx: Ctx, ceremony: Ceremony, holder: Holder, about: string): Challenge {
  const challenge = newSecret()
  return { challenge, ticket: encryptTicket(ctx, ceremony, holder, { challenge, about }) }
}

/**
 * The challenge in a ticket, which is used up with this. Null when it is old, was used, or belongs to another browser,
 * ceremony or user. Throws `unavailable`.
 */
export async function takeChallenge(
  ctx: Ctx,
  ceremony: Ceremony,
  holder: Holder,
  given: { ticket: string; about: string },
): Promise<string | null> {
  const claims = openTicket(ctx, ceremony, holder, given.ticket)
  const challenge = claims?.['challenge']
  if (challenge === undefined || claims?.['about'] !== given.about) return null
  const key = `passkey-challenge:${nameSecret(challenge)}`
  const seconds = ticketLifetimes[ceremony] / 1000
  const isFirst = await ctx.kv.setIfAbsent(key, '1', seconds).catch((error: unknown) => {
    throw unavailable('temporary_problem', undefined, { cause: error })
  })
  return isFirst ? challenge : null
}
