// What whoever runs the server may do to users, from the command line.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { notFound, unprocessable } from '#lib/errors.ts'
import { hashPassword } from '#lib/passwords.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { readSettings } from '#domain/server/instance/settings.ts'
import { afterConfirmation, sendConfirmation } from './confirm.ts'
import { insertUser } from './insert-user.ts'
import {
  assertNoProblems,
  emailProblems,
  findTaken,
  orTaken,
  usernameProblems,
} from './registration-rules.ts'
import { newPassword } from './reset-password.ts'
import { asId, type AccountId, type RoleId, type UserId } from '#lib/id.ts'

export interface OperatorUser {
  username: string
  email: string
  /** Without it the user has to follow the mailed link. */
  confirmed?: boolean
  /** The name of a role, whatever its case, or its id. */
  role?: string | null
  /** Lets them in although the server wants approval; a role does so too. */
  approve?: boolean
  /** Of the password that they have already, instead of a random one. */
  passwordHash?: string
  locale?: string
}

/**
 * Makes an account with a random password, also when registrations are closed and under a reserved name. Throws
 * `invalid` for an unfit or taken name or address and for an unknown role.
 */
export async function createUserByOperator(
  ctx: Ctx,
  user: OperatorUser,
): Promise<{ password: string; userId: UserId; accountId: AccountId }> {
  assertNoProblems([
    ...usernameProblems(user.username, { allowReserved: true }),
    ...emailProblems(user.email, true),
    ...(await findTaken(ctx, user)),
  ])
  const roleId = user.role ? await getRoleId(ctx, user.role) : null
  const { registrations_mode: mode } = await readSettings(ctx)
  const password = newPassword()
  const passwordHash = user.passwordHash ?? (await hashPassword(password))
  const approved = user.approve === true || roleId !== null || mode !== 'approved'
  const made = await orTaken(() =>
    ctx.transaction(async (tx) => {
      const confirmed = user.confirmed ?? false
      const inserted = await insertUser(tx, {
        ...user,
        passwordHash,
        locale: user.locale ?? 'en',
        confirmed,
        approved,
        roleId,
      })
      if (confirmed) await afterConfirmation(tx, inserted.userId, approved)
      else await sendConfirmation(tx, { userId: inserted.userId, email: user.email })
      await recordAction(tx, 'operator', {
        action: 'create',
        targetType: 'user',
        targetId: inserted.userId,
        label: user.username,
        details: { role: user.role ?? null },
      })
      return inserted
    }),
  )
  return { password, ...made }
}

/** The id of a role by its name, in any case, or by its id. Throws `invalid` with what there is to choose from. */
export async function getRoleId(ctx: Ctx, name: string): Promise<RoleId> {
  const { rows } = await sql<{ id: RoleId; name: string }>`
    select id, name from roles where id > 0 order by position desc`.execute(ctx.db)
  if (rows.some(({ id }) => id === name)) return asId<RoleId>(name)
  const called = rows.filter((role) => role.name.toLowerCase() === name.toLowerCase())
  if (!called[0])
    throw unprocessable('no_role_among', { name, names: rows.map((role) => role.name).join(', ') })
  // As with Mastodon, several may have one name.
  if (called.length > 1)
    throw unprocessable('no_single_role', { name, ids: called.map(({ id }) => id).join(', ') })
  return called[0].id
}

/** Confirms the user's address as it is. False when it was confirmed already. Throws `not_found`. */
export async function confirmByOperator(ctx: Ctx, username: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: UserId; approved: boolean; confirmed_at: Date | null }>`
      select u.id, u.approved, u.confirmed_at from users u join accounts a on a.id = u.account_id
      where lower(a.username) = lower(${username}) and a.domain is null for update of u`.execute(tx.db)
    const user = rows[0]
    if (!user) throw notFound('no_local_account', { username })
    if (user.confirmed_at) return false
    await sql`update users set confirmed_at = ${new Date(tx.clock.now())} where id = ${user.id}`.execute(
      tx.db,
    )
    await recordAction(tx, 'operator', {
      action: 'confirm',
      targetType: 'user',
      targetId: user.id,
      label: username,
    })
    await afterConfirmation(tx, user.id, user.approved)
    return true
  })
}
