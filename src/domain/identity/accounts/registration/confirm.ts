// An address counts once the link that was mailed to it has been followed.
import { sql, type Selectable } from 'kysely'
import type { UsersTable } from '#db/schema/accounts.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { forbidden } from '#lib/errors.ts'
import { outOfBand, redirectProblem } from '#lib/net/redirect-uri.ts'
import { canonicalEmail } from '#domain/identity/sign-up-restrictions/canonical-email.ts'
import { functionalUser } from '../mail-facts.ts'
import { wantsMailSql } from '../mail-settings.ts'
import { bitsAllowing } from '../permissions.ts'
import { orTaken } from './registration-rules.ts'
import { assertFitEmail } from './fit-email.ts'
import {
  deleteUserTokens,
  findUserToken,
  insertUserToken,
  readMailedToken,
  type UserToken,
} from './user-tokens.ts'
import type { UserId } from '#lib/id.ts'

/** Staff who let people in. */
const letsPeopleIn = bitsAllowing('manage_users')

/** Mails a link that confirms this address of the user. */
export async function sendConfirmation(tx: Tx, wanted: { userId: UserId; email: string }): Promise<void> {
  const tokenId = await insertUserToken(tx, {
    ...wanted,
    purpose: 'confirmation',
    redirectUri: await findReturnUri(tx, wanted.userId),
  })
  await tx.emit({
    type: 'mail.requested',
    mail: { kind: 'confirmation', userId: wanted.userId, to: wanted.email, tokenId },
  })
}

/** Where a new user goes after confirming: to the application through which they signed up. */
async function findReturnUri(tx: Tx, userId: UserId): Promise<string | null> {
  const { rows } = await sql<{ uri: string | null }>`
    select p.redirect_uris[1] as uri from users u join applications p on p.id = u.created_by_application_id
    where u.id = ${userId} and u.confirmed_at is null`.execute(tx.db)
  return usableReturn(rows[0]?.uri ?? null)
}

const usableReturn = (uri: string | null) =>
  uri === null || uri === outOfBand || redirectProblem(uri) !== null ? null : uri

export type Confirmation =
  | { state: 'confirmed'; approved: boolean; redirectUri: string | null }
  /** The user had an address before and now has this one. */
  | { state: 'changed' }
  /** Unknown, expired, used, or for an address that the user no longer wants. */
  | { state: 'invalid' }

/** Whether following this link would let somebody in for the first time. */
export async function isFirstConfirmation(ctx: Ctx, token: string): Promise<boolean> {
  const id = readMailedToken(ctx, 'confirmation', token)
  if (id === null) return false
  const { rows } = await sql`
    select 1 from user_tokens t join users u on u.id = t.user_id
    where t.id = ${id} and t.purpose = 'confirmation' and u.confirmed_at is null`.execute(ctx.db)
  return rows.length > 0
}

/** Follows a confirmation link. `needsApproval`: staff look at a new account before it may act. Throws `invalid` when somebody else has got the address meanwhile. */
export async function confirmEmail(
  ctx: Ctx,
  token: string,
  { needsApproval = false }: { needsApproval?: boolean } = {},
): Promise<Confirmation> {
  const id = readMailedToken(ctx, 'confirmation', token)
  if (id === null) return { state: 'invalid' }
  return orTaken(() =>
    ctx.transaction(async (tx) => {
      const found = await findUserToken(tx, 'confirmation', id)
      if (!found) return { state: 'invalid' }
      return (
        (await confirmFirst(tx, found, needsApproval)) ??
        (await confirmChange(tx, found)) ?? { state: 'invalid' }
      )
    }),
  )
}

async function confirmFirst(tx: Tx, token: UserToken, needsApproval: boolean): Promise<Confirmation | null> {
  const { rows } = await sql<{ approved: boolean; email: string }>`
    update users set confirmed_at = ${new Date(tx.clock.now())}, approved = approved and not ${needsApproval}
    where id = ${token.user_id} and confirmed_at is null and lower(email) = lower(${token.email})
    returning approved, email`.execute(tx.db)
  if (!rows[0]) return null
  const { approved, email } = rows[0]
  await confirmAtOnce(tx, { userId: token.user_id, email, approved })
  return { state: 'confirmed', approved, redirectUri: usableReturn(token.redirect_uri) }
}

/** What follows for a new user whose address somebody has made sure of already. */
export async function confirmAtOnce(
  tx: Tx,
  { userId, email, approved }: { userId: UserId; email: string; approved: boolean },
): Promise<void> {
  await afterConfirmation(tx, userId, approved)
  if (approved) await tx.emit({ type: 'mail.requested', mail: { kind: 'welcome', userId, to: email } })
}

/** What follows when a user has just been confirmed, by link or by the operator. */
export async function afterConfirmation(tx: Tx, userId: UserId, approved: boolean): Promise<void> {
  await deleteUserTokens(tx, userId, 'confirmation')
  await tx.emit({ type: 'user.confirmed', userId })
  if (!approved) await notifyStaff(tx, userId)
}

async function notifyStaff(tx: Tx, waitingUserId: UserId): Promise<void> {
  const { rows } = await sql<{ id: UserId; email: string }>`
    select u.id, u.email from users u
    join accounts a on a.id = u.account_id
    join roles r on r.id = u.role_id
    where r.permissions & ${letsPeopleIn} <> 0 and ${functionalUser('u', 'a')} and ${wantsMailSql('pending_account', 'u')}
    order by u.id limit 100`.execute(tx.db)
  for (const { id, email } of rows) {
    await tx.emit({
      type: 'mail.requested',
      mail: { kind: 'sign-up-waiting', userId: id, to: email, waitingUserId },
    })
  }
}

async function confirmChange(tx: Tx, token: UserToken): Promise<Confirmation | null> {
  if (token.email === null) return null
  const { rows } = await sql<{ old_email: string }>`
    update users u set email = u.unconfirmed_email, email_canonical = ${canonicalEmail(token.email)},
      unconfirmed_email = null
    from (select id, email from users where id = ${token.user_id} for update) before
    where u.id = before.id and lower(u.unconfirmed_email) = lower(${token.email})
    returning before.email as old_email`.execute(tx.db)
  if (!rows[0]) return null
  await deleteUserTokens(tx, token.user_id, 'confirmation')
  await deleteUserTokens(tx, token.user_id, 'reset')
  await notifyOfNewEmail(tx, { userId: token.user_id, oldEmail: rows[0].old_email, newEmail: token.email })
  return { state: 'changed' }
}

/** Tells both addresses that the one has taken the place of the other. */
export async function notifyOfNewEmail(
  tx: Tx,
  change: { userId: UserId; oldEmail: string; newEmail: string },
): Promise<void> {
  const { userId, oldEmail, newEmail } = change
  for (const to of new Set([oldEmail, newEmail])) {
    await tx.emit({
      type: 'mail.requested',
      mail: { kind: 'email-changed', userId, to, newEmail, done: true },
    })
  }
}

export type EmailState = Pick<
  Selectable<UsersTable>,
  'email' | 'unconfirmed_email' | 'confirmed_at' | 'approved' | 'created_by_application_id'
>

/** What is known of a user's addresses. Null when the user is gone. */
export async function findEmailState(reader: Reader, userId: UserId): Promise<EmailState | null> {
  const { rows } = await sql<EmailState>`
    select email, unconfirmed_email, confirmed_at, approved, created_by_application_id from users
    where id = ${userId}`.execute(reader.db)
  return rows[0] ?? null
}

/**
 * Mails the link again, for a user whose address awaits confirmation; an unconfirmed user may correct it with
 * `email`; `address` is where they are. Returns the e-mail address. Throws `forbidden` when nothing awaits confirmation, `invalid` for a bad address.
 */
export async function resendConfirmation(
  ctx: Ctx,
  userId: UserId,
  { email, address }: { email?: string | undefined; address: string | null },
): Promise<string> {
  const state = await findEmailState(ctx, userId)
  const target = state && addressToConfirm(state, email)
  if (!target) throw forbidden('email_not_awaiting')
  const corrected = !state.confirmed_at && target.toLowerCase() !== state.email.toLowerCase()
  const { needsApproval } = corrected ? await assertFitEmail(ctx, target, address) : { needsApproval: false }
  await orTaken(() =>
    ctx.transaction(async (tx) => {
      if (corrected) await correctEmail(tx, userId, { email: target, needsApproval })
      await sendConfirmation(tx, { userId, email: target })
    }),
  )
  return target
}

function addressToConfirm(state: EmailState, correction: string | undefined): string | null {
  return state.confirmed_at ? state.unconfirmed_email : correction || state.email
}

/** Links to the mistaken address end with it. */
async function correctEmail(
  tx: Tx,
  userId: UserId,
  { email, needsApproval }: { email: string; needsApproval: boolean },
): Promise<void> {
  await deleteUserTokens(tx, userId, 'confirmation')
  await sql`
    update users set email = ${email}, email_canonical = ${canonicalEmail(email)},
      approved = approved and not ${needsApproval}
    where id = ${userId} and confirmed_at is null`.execute(tx.db)
}

/**
 * Asks for the link of whoever awaits confirmation of this address. What is asked is the same for every address and
 * the search comes later, so that neither answer nor time tells who has an account.
 */
export async function askForConfirmation(ctx: Ctx, email: string): Promise<void> {
  await ctx.transaction((tx) => tx.emit({ type: 'confirmation.asked', email }))
}

/** Mails the link to whoever awaits confirmation of this address, if anybody does. */
export async function mailConfirmation(ctx: Ctx, email: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: UserId; address: string }>`
      select id, email as address from users where lower(email) = lower(${email}) and confirmed_at is null
      union all
      select id, unconfirmed_email from users where lower(unconfirmed_email) = lower(${email})
      order by 1 limit 5`.execute(tx.db)
    for (const { id, address } of rows) await sendConfirmation(tx, { userId: id, email: address })
  })
}
