import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { assertOutranks, type ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { notFound } from '#lib/errors.ts'
import { getFactorState, isFactorOn, type FactorState } from './factor-state.ts'
import type { Proof } from './proofs.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'
import { notifyFactorChange } from './notify.ts'
import type { AccountId, PasskeyId, UserId } from '#lib/id.ts'

/** `needed`: it is the last one, and the role demands one. `absent`: it was not there. */
export type TurnOff = 'done' | 'needed' | 'absent'

/** Asks for codes of an app no more. */
export async function turnOtpOff(ctx: Ctx, { userId }: Proof): Promise<TurnOff> {
  return turnOff(ctx, userId, {
    isThere: (state) => state.otpSince !== null,
    without: (state) => ({ ...state, otpSince: null }),
    async carryOut(tx) {
      await clearOtp(tx, userId)
      await notifyFactorChange(tx, userId, 'otp-removed')
    },
  })
}

/** Takes a passkey away. */
export async function removePasskey(ctx: Ctx, { userId }: Proof, id: PasskeyId): Promise<TurnOff> {
  return turnOff(ctx, userId, {
    isThere: (state) => state.passkeys.some((passkey) => passkey.id === id),
    without: (state) => ({ ...state, passkeys: state.passkeys.filter((passkey) => passkey.id !== id) }),
    async carryOut(tx, state) {
      await sql`delete from passkeys where id = ${id} and user_id = ${userId}`.execute(tx.db)
      const gone = state.passkeys.find((passkey) => passkey.id === id)
      await notifyFactorChange(tx, userId, 'passkey-removed', gone?.nickname)
    },
  })
}

interface Step {
  isThere(state: FactorState): boolean
  without(state: FactorState): FactorState
  carryOut(tx: Tx, state: FactorState): Promise<void>
}

async function turnOff(ctx: Ctx, userId: UserId, step: Step): Promise<TurnOff> {
  return ctx.transaction(async (tx) => {
    await lockUser(tx, userId)
    const state = await getFactorState(tx, userId)
    if (!step.isThere(state)) return 'absent'
    const isLast = !isFactorOn(step.without(state))
    if (isLast && state.required) return 'needed'
    await step.carryOut(tx, state)
    if (isLast) await deleteRecoveryCodes(tx, userId)
    return 'done'
  })
}

/** Whoever changes the factors of a user comes after the other. */
async function lockUser(tx: Tx, userId: UserId): Promise<void> {
  await sql`select 1 from users where id = ${userId} for update`.execute(tx.db)
}

async function clearOtp(tx: Tx, userId: UserId): Promise<void> {
  await sql`
    update users set otp_secret_sealed = null, otp_enabled_at = null, otp_last_step = null
    where id = ${userId}`.execute(tx.db)
}

/**
 * Takes all second factors of a user of this server, who lost them, at the word of staff. Fine when there is none. Throws
 * `not_found`, `forbidden`.
 */
export async function removeFactorsByStaff(
  ctx: Ctx,
  staff: ActingStaff,
  accountId: AccountId,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: UserId; username: string }>`
      select u.id, a.username from users u join accounts a on a.id = u.account_id
      where a.id = ${accountId} and a.deleted_at is null for update of u`.execute(tx.db)
    const user = rows[0]
    if (!user) throw notFound()
    await assertOutranks(tx, staff, accountId)
    const state = await getFactorState(tx, user.id)
    await recordAction(tx, staff, {
      action: 'disable_2fa',
      targetType: 'user',
      targetId: user.id,
      label: user.username,
    })
    if (!isFactorOn(state)) return
    await clearOtp(tx, user.id)
    await sql`delete from passkeys where user_id = ${user.id}`.execute(tx.db)
    await deleteRecoveryCodes(tx, user.id)
    await notifyFactorChange(tx, user.id, 'all-removed')
  })
}
