import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { PasskeyId, UserId } from '#lib/id.ts'

/** The condition that one of `users`, under the name `user`, has a second factor: codes of an app, or a passkey. */
export const hasFactor = (
  user: string,
): RawBuilder<boolean> => sql`(${sql.ref(`${user}.otp_enabled_at`)} is not null
  or exists (select 1 from passkeys pk where pk.user_id = ${sql.ref(`${user}.id`)}))`

/** The condition that one of `roles`, left joined under the name `role`, or the role of everybody, demands one. */
const requiresFactor = (
  role: string,
): RawBuilder<boolean> => sql`(coalesce(${sql.ref(`${role}.require_2fa`)}, false)
  or coalesce((select require_2fa from roles where id = -99), false))`

/** The condition that one of `users`, whose `role` is left joined, must have a second factor and has none. */
export const lacksFactor = (user: string, role: string): RawBuilder<boolean> =>
  sql`(${requiresFactor(role)} and not ${hasFactor(user)})`

export interface Passkey {
  id: PasskeyId
  nickname: string
  createdAt: Date
  lastUsedAt: Date | null
}

export interface FactorState {
  username: string
  /** Since when codes of an app are asked for; null: they are not. */
  otpSince: Date | null
  /** Oldest first. */
  passkeys: Passkey[]
  /** Recovery codes that were not used yet. */
  codesLeft: number
  /** Their role demands a second factor. */
  required: boolean
}

/** Which second factors a user has. Throws `not_found`. */
export async function getFactorState(reader: Reader, userId: UserId): Promise<FactorState> {
  const { rows } = await sql<Omit<FactorState, 'passkeys'>>`
    select a.username, u.otp_enabled_at as "otpSince", ${requiresFactor('r')} as required,
      (select count(*)::int from recovery_codes c where c.user_id = u.id and c.used_at is null) as "codesLeft"
    from users u join accounts a on a.id = u.account_id left join roles r on r.id = u.role_id
    where u.id = ${userId}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  const passkeys = await sql<Passkey>`
    select id, nickname, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where user_id = ${userId} order by id`.execute(reader.db)
  return { ...rows[0], passkeys: passkeys.rows }
}

/** Whether anything is asked for besides the password. */
export const isFactorOn = (state: Pick<FactorState, 'otpSince' | 'passkeys'>): boolean =>
  state.otpSince !== null || state.passkeys.length > 0
