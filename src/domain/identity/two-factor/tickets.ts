// What a browser keeps for this server for some minutes, and can neither read, change nor hand on.
import type { Ctx } from '#ports/ctx.ts'
import { encrypt, decrypt } from '#lib/encrypt.ts'

const minute = 60_000

/** What tickets are for, and how long they hold, in milliseconds. */
export const ticketLifetimes = {
  /** Somebody gave the right password, and a second factor is yet to come. */
  attempt: 10 * minute,
  /** Somebody was sent to a provider of identities, and is to come back. */
  provider: 20 * minute,
  /** A provider of identities said who somebody is, whom nobody here knows yet. */
  newcomer: 30 * minute,
  /** Somebody who is signed in has just given their password again. */
  proof: 10 * minute,
  /** The secret of an app that is being set up. */
  'otp-setup': 10 * minute,
  'new-passkey': 5 * minute,
  /** A passkey instead of name and password. */
  'passkey-sign-in': 5 * minute,
  /** A passkey after the password. */
  'passkey-factor': 5 * minute,
} as const

export type TicketKind = keyof typeof ticketLifetimes
export type Claims = Readonly<Record<string, string>>

/** Whose ticket it is: the secret of the browser (see session.ts of the pages), without which it says nothing. */
export interface Holder {
  readonly secret: string
}

/** A ticket with these claims, as text. */
export function encryptTicket(ctx: Ctx, kind: TicketKind, holder: Holder, claims: Claims): string {
  const until = ctx.clock.now() + ticketLifetimes[kind]
  return encrypt(JSON.stringify({ until, claims }), keyOf(ctx, kind, holder))
}

/** The claims of a ticket. Null when it is old, for something else, of another browser, or not ours. */
export function openTicket(ctx: Ctx, kind: TicketKind, holder: Holder, text: string): Claims | null {
  const opened = decrypt(text, keyOf(ctx, kind, holder))
  if (opened === null) return null
  const { until, claims } = JSON.parse(opened) as { until: number; claims: Claims }
  return until > ctx.clock.now() ? claims : null
}

const keyOf = (ctx: Ctx, kind: TicketKind, holder: Holder) => ({
  base: ctx.secrets.secretKeyBase,
  purpose: `ticket:${kind}`,
  owner: holder.secret,
})
