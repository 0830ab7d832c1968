// Codes of an app as a second factor: setting up and checking. Turning off: see turn-off.ts.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { encrypt, decrypt } from '#lib/encrypt.ts'
import { hasFactor } from './factor-state.ts'
import { findStep, newOtpSecret, otpUri } from './otp-codes.ts'
import type { Proof } from './proofs.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { notifyFactorChange } from './notify.ts'
import { openTicket, encryptTicket, type Holder } from './tickets.ts'
import type { UserId } from '#lib/id.ts'

export interface OtpSetup {
  /** In Base32, for whoever cannot scan. */
  secret: string
  /** What the QR code says. */
  uri: string
  /** Comes back with the first code. */
  ticket: string
}

/** A new secret. Nothing changes until a code of it is given to `confirmOtp`. */
export function beginOtp(ctx: Ctx, holder: Holder, user: Proof & { username: string }): OtpSetup {
  const sealed = encrypt(newOtpSecret(), keyOf(ctx, user.userId))
  return toSetup(ctx, user, sealed, encryptTicket(ctx, 'otp-setup', holder, { userId: user.userId, sealed }))
}

/**
 * The set-up that a ticket belongs to, to be shown again. `on` when its codes are turned on already: the secret is not
 * shown any more. Null when it is too old.
 */
export async function reopenOtp(
  ctx: Ctx,
  holder: Holder,
  user: Proof & { username: string },
  ticket: string,
): Promise<OtpSetup | 'on' | null> {
  const sealed = readSetup(ctx, holder, user.userId, ticket)
  if (sealed === null) return null
  const { rows } = await sql<{ id: UserId }>`
    select id from users where id = ${user.userId} and otp_secret_sealed = ${sealed}`.execute(ctx.db)
  return rows[0] ? 'on' : toSetup(ctx, user, sealed, ticket)
}

function toSetup(ctx: Ctx, user: Proof & { username: string }, sealed: string, ticket: string): OtpSetup {
  const secret = decrypt(sealed, keyOf(ctx, user.userId)) as string
  const { localDomain } = ctx.config
  return {
    secret,
    ticket,
    uri: otpUri(secret, { issuer: localDomain, label: `${user.username}@${localDomain}` }),
  }
}

function readSetup(ctx: Ctx, holder: Holder, userId: UserId, ticket: string): string | null {
  const claims = openTicket(ctx, 'otp-setup', holder, ticket)
  return claims?.['userId'] === userId ? (claims['sealed'] ?? null) : null
}

/** `codes`: new recovery codes, made with the first factor of all. */
export type TurnedOn = { codes: string[] | null }

/**
 * Turns codes of the app on; those of another app no longer count. Null for a wrong code, one that was taken before, or
 * a ticket that is too old.
 */
export async function confirmOtp(
  ctx: Ctx,
  holder: Holder,
  { userId }: Proof,
  given: { ticket: string; code: string },
): Promise<TurnedOn | null> {
  const sealed = readSetup(ctx, holder, userId, given.ticket)
  const secret = sealed && decrypt(sealed, keyOf(ctx, userId))
  const step = secret ? findStep(secret, given.code, ctx.clock.now()) : null
  if (step === null) return null
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ had: boolean }>`
      select ${hasFactor('u')} as had from users u where id = ${userId}
        and (otp_secret_sealed is distinct from ${sealed} or otp_last_step < ${step}) for update`.execute(
      tx.db,
    )
    if (!rows[0]) return null
    await sql`
      update users set otp_secret_sealed = ${sealed}, otp_enabled_at = ${new Date(tx.clock.now())},
        otp_last_step = ${step} where id = ${userId}`.execute(tx.db)
    await notifyFactorChange(tx, userId, 'otp-added')
    return { codes: rows[0].had ? null : await replaceRecoveryCodes(tx, userId) }
  })
}

/** Whether it is a code of the user's app that was not taken yet, nor a later one. Now it is (RFC 6238 section 5.2). */
export async function spendOtpCode(ctx: Ctx, userId: UserId, code: string): Promise<boolean> {
  const { rows } = await sql<{ sealed: string | null }>`
    select otp_secret_sealed as sealed from users where id = ${userId} and otp_enabled_at is not null`.execute(
    ctx.db,
  )
  const sealed = rows[0]?.sealed
  const secret = sealed && decrypt(sealed, keyOf(ctx, userId))
  const step = secret ? findStep(secret, code, ctx.clock.now()) : null
  if (step === null) return false
  const taken = await sql`
    update users set otp_last_step = ${step}
    where id = ${userId} and otp_secret_sealed = ${sealed} and (otp_last_step is null or otp_last_step < ${step})
    returning id`.execute(ctx.db)
  return taken.rows.length > 0
}

const keyOf = (ctx: Ctx, userId: UserId) => ({
  base: ctx.secrets.secretKeyBase,
  purpose: 'otp',
  owner: userId,
})
