// Passkeys: making and naming them, and telling who holds one. Taking them away: see turn-off.ts.
import { createHmac } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import type { PasskeysTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { newChallenge, takeChallenge, type Ceremony } from './challenges.ts'
import { hasFactor } from './factor-state.ts'
import type { TurnedOn } from './otp.ts'
import type { Proof } from './proofs.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { notifyFactorChange } from './notify.ts'
import type { Holder } from './tickets.ts'
import { algorithms, readAssertion, readNames, readNewKey, relyingParty, timeout } from './webauthn.ts'
import type { PasskeyId, UserId } from '#lib/id.ts'

export const maxPasskeys = 20
export const maxNicknameLength = 60

/** What a page hands to its script, and gets back with the answer. */
export interface PasskeyRequest {
  /** `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`. */
  options: object
  ticket: string
}

/** Asks the browser for a new passkey. Null when the user has as many as they may. */
export async function askForPasskey(
  ctx: Ctx,
  holder: Holder,
  user: Proof & { username: string },
): Promise<PasskeyRequest | null> {
  const known = await listKeys(ctx, user.userId)
  if (known.length >= maxPasskeys) return null
  const { challenge, ticket } = newChallenge(ctx, 'new-passkey', holder, user.userId)
  const name = `${user.username}@${ctx.config.localDomain}`
  const options = {
    rp: { id: relyingParty(ctx.config).id, name: ctx.config.localDomain },
    user: { id: userHandle(ctx, user.userId), name, displayName: user.username },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout,
    excludeCredentials: known,
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'preferred',
    },
    attestation: 'none',
  }
  return { options, ticket }
}

/**
 * Keeps the passkey that a browser made for `askForPasskey`. Null when the answer is not sound, or the user has too many
 * by now.
 */
export async function addPasskey(
  ctx: Ctx,
  holder: Holder,
  { userId }: Proof,
  given: { ticket: string; answer: string; nickname: string },
): Promise<TurnedOn | null> {
  const challenge = await takeChallenge(ctx, 'new-passkey', holder, { ticket: given.ticket, about: userId })
  const key = challenge === null ? null : await readNewKey(ctx.config, challenge, given.answer)
  if (!key) return null
  const nickname = cutNickname(given.nickname)
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ had: boolean; count: number }>`
      select ${hasFactor('u')} as had, (select count(*)::int from passkeys where user_id = u.id) as count
      from users u where id = ${userId} for update`.execute(tx.db)
    if (!rows[0] || rows[0].count >= maxPasskeys) return null
    const made = await sql`
      insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, nickname, created_at)
      values (${tx.newId()}, ${userId}, ${key.credentialId}, ${key.publicKey}, ${key.signCount},
        ${key.transports}::text[], ${nickname}, ${new Date(tx.clock.now())})
      on conflict (credential_id) do nothing returning id`.execute(tx.db)
    if (made.rows.length === 0) return null
    await notifyFactorChange(tx, userId, 'passkey-added', nickname)
    return { codes: rows[0].had ? null : await replaceRecoveryCodes(tx, userId) }
  })
}

/** Gives a passkey another name. False when there is no such one. */
export async function renamePasskey(
  ctx: Ctx,
  { userId }: Proof,
  change: { id: PasskeyId; nickname: string },
): Promise<boolean> {
  const { rows } = await sql`
    update passkeys set nickname = ${cutNickname(change.nickname)}
    where id = ${change.id} and user_id = ${userId} returning id`.execute(ctx.db)
  return rows.length > 0
}

const cutNickname = (text: string) =>
  [...text.replaceAll(/\p{Cc}/gu, '').trim()].slice(0, maxNicknameLength).join('').trim() || 'Passkey'

/** Asks for one of this user's passkeys, after their password. */
export async function askForFactor(ctx: Ctx, holder: Holder, userId: UserId): Promise<PasskeyRequest> {
  const { challenge, ticket } = newChallenge(ctx, 'passkey-factor', holder, userId)
  const allowCredentials = await listKeys(ctx, userId)
  return {
    options: { ...requestOf(ctx, challenge), allowCredentials, userVerification: 'preferred' },
    ticket,
  }
}

/** Asks for any passkey that stands for name and password at once: its holder has to show to be its owner. */
export function askForSignIn(ctx: Ctx, holder: Holder): PasskeyRequest {
  const { challenge, ticket } = newChallenge(ctx, 'passkey-sign-in', holder, '')
  return { options: { ...requestOf(ctx, challenge), userVerification: 'required' }, ticket }
}

const requestOf = (ctx: Ctx, challenge: string) => ({
  challenge,
  timeout,
  rpId: relyingParty(ctx.config).id,
})

export interface PasskeyAnswer {
  ticket: string
  answer: string
}

/** Whether this answers `askForFactor`, with a passkey of this user. */
export async function checkFactor(
  ctx: Ctx,
  holder: Holder,
  userId: UserId,
  given: PasskeyAnswer,
): Promise<boolean> {
  return (await findHolder(ctx, 'passkey-factor', holder, { ...given, userId })) !== null
}

/** The user whose passkey answers `askForSignIn`, or null. Whether they may sign in is not said. */
export function findSignedIn(ctx: Ctx, holder: Holder, given: PasskeyAnswer): Promise<UserId | null> {
  return findHolder(ctx, 'passkey-sign-in', holder, { ...given, userId: null })
}

type KeyRow = Pick<
  Selectable<PasskeysTable>,
  'id' | 'user_id' | 'credential_id' | 'public_key' | 'sign_count'
>

async function findHolder(
  ctx: Ctx,
  ceremony: Ceremony,
  holder: Holder,
  given: PasskeyAnswer & { userId: UserId | null },
): Promise<UserId | null> {
  const { ticket, answer, userId } = given
  const challenge = await takeChallenge(ctx, ceremony, holder, { ticket, about: userId ?? '' })
  const names = challenge === null ? null : readNames(answer)
  const row = names && (await findKey(ctx, names.credentialId))
  if (challenge === null || !names || !row) return null
  // Section 7.2, step 6: a key that says whose it is says so rightly, and one that was not asked for by name says so.
  if (names.userHandle === null ? userId === null : names.userHandle !== userHandle(ctx, row.user_id))
    return null
  if (userId !== null && row.user_id !== userId) return null
  const key = {
    credentialId: row.credential_id,
    publicKey: row.public_key,
    signCount: Number(row.sign_count),
  }
  const proven = await readAssertion(ctx.config, key, { challenge, answer, verified: userId === null })
  return proven && (await countUse(ctx, row.id, proven.signCount)) ? row.user_id : null
}

/** False when the count is not above the last one: the key was copied, or two answers came at once. Some never count. */
async function countUse(ctx: Ctx, id: PasskeyId, signCount: number): Promise<boolean> {
  const { rows } = await sql`
    update passkeys set sign_count = ${signCount}, last_used_at = ${new Date(ctx.clock.now())}
    where id = ${id} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount}::bigint = 0))
    returning id`.execute(ctx.db)
  return rows.length > 0
}

async function findKey(reader: Reader, credentialId: Buffer): Promise<KeyRow | null> {
  const { rows } = await sql<KeyRow>`
    select id, user_id, credential_id, public_key, sign_count from passkeys
    where credential_id = ${credentialId}`.execute(reader.db)
  return rows[0] ?? null
}

async function listKeys(reader: Reader, userId: UserId): Promise<object[]> {
  const { rows } = await sql<{ credential_id: Buffer; transports: string[] }>`
    select credential_id, transports from passkeys where user_id = ${userId} order by id`.execute(reader.db)
  return rows.map(({ credential_id, transports }) => ({
    type: 'public-key',
    id: credential_id.toString('base64url'),
    transports,
  }))
}

/** Who a passkey says that it belongs to: it tells others nothing (section 14.6.1). */
function userHandle(ctx: Ctx, userId: UserId): string {
  return createHmac('sha256', ctx.secrets.secretKeyBase).update(`passkey\0${userId}`).digest('base64url')
}
