import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import { canonicalEmail } from '#domain/identity/sign-up-restrictions/canonical-email.ts'
import type { AccountId, ApplicationId, InviteId, RoleId, UserId } from '#lib/id.ts'

export interface NewUser {
  username: string
  email: string
  passwordHash: string
  locale: string
  timeZone?: string | null
  confirmed: boolean
  approved: boolean
  roleId?: RoleId | null
  signUpIp?: string | null
  reason?: string | null
  applicationId?: ApplicationId | null
  /** The invite by which they came, used already. */
  inviteId?: InviteId | null
}

/** Writes a user with their account. The caller has checked the rules. Emits `user.created`. */
export async function insertUser(tx: Tx, user: NewUser): Promise<{ userId: UserId; accountId: AccountId }> {
  const now = new Date(tx.clock.now())
  const accountId = tx.newId<AccountId>()
  const userId = tx.newId<UserId>()
  await tx.db
    .insertInto('accounts')
    .values({ id: accountId, username: user.username, created_at: now, updated_at: now })
    .execute()
  await tx.db.insertInto('account_stats').values({ account_id: accountId }).execute()
  await tx.db
    .insertInto('users')
    .values({
      id: userId,
      account_id: accountId,
      email: user.email,
      email_canonical: canonicalEmail(user.email),
      password_hash: user.passwordHash,
      confirmed_at: user.confirmed ? now : null,
      approved: user.approved,
      role_id: user.roleId ?? null,
      locale: user.locale,
      time_zone: user.timeZone ?? null,
      sign_up_ip: user.signUpIp ?? null,
      sign_up_reason: user.reason ?? null,
      created_by_application_id: user.applicationId ?? null,
      invite_id: user.inviteId ?? null,
      created_at: now,
    })
    .execute()
  // Nothing belongs into it yet: what is posted from now on is written there, and the first look need not build it.
  await tx.db.insertInto('home_feeds').values({ account_id: accountId, built_at: now }).execute()
  await countRegistration(tx, now)
  await tx.emit({ type: 'user.created', userId })
  return { userId, accountId }
}

async function countRegistration(tx: Tx, now: Date): Promise<void> {
  await sql`
    insert into activity_weeks (week, registrations) values (date_trunc('week', ${now}::timestamptz at time zone 'UTC')::date, 1)
    on conflict (week) do update set registrations = activity_weeks.registrations + 1`.execute(tx.db)
}
