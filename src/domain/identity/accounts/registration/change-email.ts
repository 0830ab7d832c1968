import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { canonicalEmail } from '#domain/identity/sign-up-restrictions/canonical-email.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { findEmailState, sendConfirmation, notifyOfNewEmail } from './confirm.ts'
import { assertFitEmail } from './fit-email.ts'
import { assertNoProblems, emailProblems, orTaken } from './registration-rules.ts'
import { assertPassword } from './reset-password.ts'
import { deleteUserTokens } from './user-tokens.ts'
import type { UserId } from '#lib/id.ts'

/**
 * Asks for another address: it becomes the user's once its link is followed, and the old address is told at once.
 * The present address takes the wish back. Throws `invalid` for a wrong password or an unfit or taken address.
 */
export async function changeEmail(
  ctx: Ctx,
  userId: UserId,
  wanted: { email: string; password: string; address: string | null },
): Promise<void> {
  await assertPassword(ctx, userId, wanted.password)
  const state = await findEmailState(ctx, userId)
  if (!state) throw notFound()
  const same = wanted.email.toLowerCase() === state.email.toLowerCase()
  if (!same) await assertFitEmail(ctx, wanted.email, wanted.address)
  await ctx.transaction(async (tx) => {
    await deleteUserTokens(tx, userId, 'confirmation')
    await sql`update users set unconfirmed_email = ${same ? null : wanted.email} where id = ${userId}`.execute(
      tx.db,
    )
    if (same) return
    await sendConfirmation(tx, { userId, email: wanted.email })
    await tx.emit({
      type: 'mail.requested',
      mail: { kind: 'email-changed', userId, to: state.email, newEmail: wanted.email, done: false },
    })
  })
}

/**
 * Sets a user's address at an operator's word, confirmed as it is; both addresses are told. Throws `not_found`,
 * `invalid` for an unfit or taken address.
 */
export async function changeEmailByOperator(ctx: Ctx, username: string, email: string): Promise<void> {
  assertNoProblems(emailProblems(email, true))
  await orTaken(() =>
    ctx.transaction(async (tx) => {
      const { rows } = await sql<{ id: UserId; old_email: string }>`
        update users u set email = ${email}, email_canonical = ${canonicalEmail(email)}, unconfirmed_email = null
        from (select u.id, u.email from users u join accounts a on a.id = u.account_id
          where lower(a.username) = lower(${username}) and a.domain is null for update of u) before
        where u.id = before.id
        returning u.id, before.email as old_email`.execute(tx.db)
      const user = rows[0]
      if (!user) throw notFound('no_local_account', { username })
      await deleteUserTokens(tx, user.id, 'confirmation')
      await deleteUserTokens(tx, user.id, 'reset')
      // Without the address: not all who read the log may see those.
      await recordAction(tx, 'operator', {
        action: 'change_email',
        targetType: 'user',
        targetId: user.id,
        label: username,
      })
      await notifyOfNewEmail(tx, { userId: user.id, oldEmail: user.old_email, newEmail: email })
    }),
  )
}
