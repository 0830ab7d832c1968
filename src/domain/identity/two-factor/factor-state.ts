import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { notFound } from '#lib/errors.ts'

/** The condition that `users u` has a second factor: codes of an app, or a passkey. */
export const hasFactor: RawBuilder<boolean> = sql`(u.otp_enabled_at is not null
  or exists (select 1 from passkeys pk where pk.user_id = u.id))`

/** The condition that the role `roles r` (left joined) of somebody, or the role of everybody, demands one. */
const requiresFactor: RawBuilder<boolean> = sql`(coalesce(r.require_2fa, false)
  or coalesce((select require_2fa from roles where id = -99), false))`

/** The condition that `users u` with `roles r` (left joined) must have a second factor and has none. */
export const lacksFactor: RawBuilder<boolean> = sql`(${requiresFactor} and not ${hasFactor})`

export interface Passkey {
  id: Id
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
export async function getFactorState(reader: Reader, userId: Id): Promise<FactorState> {
  const { rows } = await sql<Omit<FactorState, 'passkeys'>>`
    select a.username, u.otp_enabled_at as "otpSince", ${requiresFactor} as required,
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
