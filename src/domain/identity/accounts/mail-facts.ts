import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { UserSettings } from './viewer.ts'
import type { AccountId, UserId } from '#lib/id.ts'

/** What mails say of a user, and what decides whether they get any. */
export interface MailFacts {
  userId: UserId
  accountId: AccountId
  username: string
  locale: string
  /** An IANA name, or null. */
  timeZone: string | null
  email: string
  confirmed: boolean
  approved: boolean
  reason: string | null
  settings: UserSettings
  /** Confirmed, let in, and neither disabled, suspended nor gone. */
  functional: boolean
}

/** The condition that a login can be used, of `users` and `accounts` under these names. */
export function functionalUser(user: string, account: string): RawBuilder<boolean> {
  const u = (column: string) => sql.ref(`${user}.${column}`)
  const a = (column: string) => sql.ref(`${account}.${column}`)
  return sql`(${u('confirmed_at')} is not null and ${u('approved')} and not ${u('disabled')}
    and ${a('suspended_at')} is null and ${a('deleted_at')} is null and not ${a('memorial')})`
}

/** Null when the user is gone. */
export async function findMailFacts(reader: Reader, userId: UserId): Promise<MailFacts | null> {
  const { rows } = await sql<MailFacts>`
    select u.id as "userId", a.id as "accountId", a.username, u.locale, u.time_zone as "timeZone", u.email,
      u.confirmed_at is not null as confirmed, u.approved, u.sign_up_reason as reason, u.settings,
      ${functionalUser('u', 'a')} as functional
    from users u join accounts a on a.id = u.account_id where u.id = ${userId}`.execute(reader.db)
  return rows[0] ?? null
}
