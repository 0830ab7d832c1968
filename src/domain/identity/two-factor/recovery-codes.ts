// Codes for whoever lost their second factor: each opens once. Only their hashes are kept.
import { Secret } from 'otpauth'
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { hashSecret } from '#lib/secrets.ts'
import { hasFactor } from './factor-state.ts'
import type { Proof } from './proofs.ts'
import { notifyFactorChange } from './notify.ts'
import type { RecoveryCodeId, UserId } from '#lib/id.ts'

const recoveryCodesCount = 10
/** 80 bits, so that a fast hash is enough. */
const codeBytes = 10

/** New codes in the place of all earlier ones. They are told once. */
export async function replaceRecoveryCodes(tx: Tx, userId: UserId): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesCount }, newCode)
  const rows = codes.map((code) => ({
    id: tx.newId<RecoveryCodeId>(),
    user_id: userId,
    code_hash: hashSecret(normalize(code)),
    created_at: new Date(tx.clock.now()),
  }))
  await deleteRecoveryCodes(tx, userId)
  await tx.db.insertInto('recovery_codes').values(rows).execute()
  return codes
}

/** Forgets all codes of a user. */
export async function deleteRecoveryCodes(tx: Tx, userId: UserId): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx.db)
}

/** `replaceRecoveryCodes` at the user's wish. Null when no second factor is on. */
export async function renewRecoveryCodes(ctx: Ctx, { userId }: Proof): Promise<string[] | null> {
  return ctx.transaction(async (tx) => {
    const { rows } =
      await sql`select 1 from users u where id = ${userId} and ${hasFactor('u')} for update`.execute(tx.db)
    if (rows.length === 0) return null
    await notifyFactorChange(tx, userId, 'recovery-codes-renewed')
    return replaceRecoveryCodes(tx, userId)
  })
}

/** Whether it is a code of the user that was not used yet. Now it is. */
export async function spendRecoveryCode(ctx: Ctx, userId: UserId, code: string): Promise<boolean> {
  const hash = hashSecret(normalize(code))
  return ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update recovery_codes set used_at = ${new Date(tx.clock.now())}
      where user_id = ${userId} and code_hash = ${hash} and used_at is null returning id`.execute(tx.db)
    if (rows.length === 0) return false
    await notifyFactorChange(tx, userId, 'recovery-code-used')
    return true
  })
}

/** Four groups of four letters and digits. */
function newCode(): string {
  return new Secret({ size: codeBytes }).base32.toLowerCase().replaceAll(/.{4}(?=.)/g, '$&-')
}

/** As people type it from paper: in any case, with or without what parts the groups. */
function normalize(code: string): string {
  return code
    .toLowerCase()
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll(/[^a-z2-7]/g, '')
}
