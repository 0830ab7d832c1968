import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { invalidForm, notFound, problem } from '#lib/errors.ts'
import { hashPassword, nobodysHash, verifyPassword } from '#lib/passwords.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { endAccess } from './end-access.ts'
import { assertNoProblems, passwordProblems } from './registration-rules.ts'
import { findUserToken, insertUserToken, readMailedToken } from './user-tokens.ts'
import type { SessionId, UserId } from '#lib/id.ts'

/**
 * Asks for a reset link. What is asked is the same for every address and the search comes later, so that neither
 * answer nor time tells who has an account.
 */
export async function askForReset(ctx: Ctx, email: string): Promise<void> {
  await ctx.transaction((tx) => tx.emit({ type: 'password-reset.asked', email }))
}

/** Mails a reset link to the user with this address, if there is one. */
export async function mailReset(ctx: Ctx, email: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: UserId; email: string }>`
      select id, email from users where lower(email) = lower(${email})`.execute(tx.db)
    const user = rows[0]
    if (!user) return
    const tokenId = await insertUserToken(tx, { userId: user.id, purpose: 'reset', email: user.email })
    await tx.emit({
      type: 'mail.requested',
      mail: { kind: 'reset', userId: user.id, to: user.email, tokenId },
    })
  })
}

/** Whether a reset link can still be used. */
export async function isResetPossible(ctx: Ctx, token: string): Promise<boolean> {
  const id = readMailedToken(ctx, 'reset', token)
  return id !== null && (await findUserToken(ctx, 'reset', id)) !== null
}

/**
 * Sets a new password by a mailed link, which works once. All sessions and tokens end. False when the link is used,
 * old or unknown. Throws `invalid` for a password that is too short or too long.
 */
export async function resetPassword(ctx: Ctx, token: string, password: string): Promise<boolean> {
  const id = readMailedToken(ctx, 'reset', token)
  if (id === null || !(await findUserToken(ctx, 'reset', id))) return false
  assertNoProblems(passwordProblems(password))
  const hash = await hashPassword(password)
  return ctx.transaction(async (tx) => {
    const found = await findUserToken(tx, 'reset', id)
    if (!found) return false
    await setPassword(tx, { userId: found.user_id, hash })
    return true
  })
}

/**
 * Changes the password of somebody who is signed in and knows it. Their other sessions and all tokens end. Throws
 * `invalid` for a wrong current password or an unfit new one.
 */
export async function changePassword(
  ctx: Ctx,
  user: { userId: UserId; sessionId: SessionId | null },
  passwords: { current: string; next: string },
): Promise<void> {
  await assertPassword(ctx, user.userId, passwords.current)
  assertNoProblems(passwordProblems(passwords.next))
  const hash = await hashPassword(passwords.next)
  await ctx.transaction((tx) => setPassword(tx, { ...user, hash }))
}

/** Throws `invalid` unless this is the user's password. */
export async function assertPassword(ctx: Ctx, userId: UserId, password: string): Promise<void> {
  const { rows } = await sql<{ password_hash: string }>`
    select password_hash from users where id = ${userId}`.execute(ctx.db)
  if (await verifyPassword(password, rows[0]?.password_hash ?? nobodysHash)) return
  const detail = { field: 'current_password', error: 'ERR_INVALID' }
  throw invalidForm([{ ...problem('current_password', 'invalid'), detail }])
}

/** Gives the user a new random password, for an operator to hand over. Throws `not_found`. */
export async function resetPasswordByOperator(ctx: Ctx, username: string): Promise<string> {
  const password = newPassword()
  const hash = await hashPassword(password)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: UserId }>`
      select u.id from users u join accounts a on a.id = u.account_id
      where lower(a.username) = lower(${username}) and a.domain is null`.execute(tx.db)
    if (!rows[0]) throw notFound('no_local_account', { username })
    await setPassword(tx, { userId: rows[0].id, hash })
    await recordAction(tx, 'operator', {
      action: 'reset_password',
      targetType: 'user',
      targetId: rows[0].id,
      label: username,
    })
  })
  return password
}

/** 128 random bits in hexadecimal. */
export function newPassword(): string {
  return randomBytes(16).toString('hex')
}

async function setPassword(
  tx: Tx,
  change: { userId: UserId; hash: string; sessionId?: SessionId | null },
): Promise<void> {
  const { rows } = await sql<{ email: string }>`
    update users set password_hash = ${change.hash} where id = ${change.userId} returning email`.execute(
    tx.db,
  )
  if (!rows[0]) throw notFound()
  await endAccess(tx, change.userId, change.sessionId ?? null)
  await tx.emit({
    type: 'mail.requested',
    mail: { kind: 'password-changed', userId: change.userId, to: rows[0].email },
  })
}
