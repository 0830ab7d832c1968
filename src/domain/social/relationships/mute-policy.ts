// Whether a mute holds. Every place that asks uses these, so that a mute ends for all of them at the same moment: by
// the clock when it is asked for, not when a job deletes the row. `mute-policy.test.ts` holds the two forms together.
import { sql, type RawBuilder } from 'kysely'
import type { AccountId } from '#lib/id.ts'

/** `everything` that the muted account writes, or only its `notifications`, which a mute may leave alone. */
export type MuteScope = 'everything' | 'notifications'

/** What of a mute decides whether it holds. */
export interface MuteTerms {
  readonly hideNotifications: boolean
  /** Milliseconds since the epoch; null is for good. */
  readonly expiresAt: number | null
}

/** Whether a mute holds at `now`, in milliseconds since the epoch. The same as `muteHoldsSql`. */
export function muteHolds(mute: MuteTerms, now: number, scope: MuteScope = 'everything'): boolean {
  if (scope === 'notifications' && !mute.hideNotifications) return false
  return mute.expiresAt === null || mute.expiresAt > now
}

/** The condition that the row `alias` of `mutes` holds at `now`. */
export function muteHoldsSql(alias: string, now: Date, scope: MuteScope = 'everything'): RawBuilder<boolean> {
  const mute = (column: string) => sql.ref(`${alias}.${column}`)
  const lasts = sql<boolean>`(${mute('expires_at')} is null or ${mute('expires_at')} > ${now})`
  return scope === 'notifications' ? sql`(${mute('hide_notifications')} and ${lasts})` : lasts
}

/** The condition that the row `alias` of `mutes` is over at `now` and waits to be deleted. */
export const muteEndedSql = (alias: string, now: Date): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.expires_at`)} <= ${now})`

/** Who mutes whom: ids, or the names of columns such as `s.account_id`. */
export interface MutePair {
  readonly muter: AccountId | RawBuilder<unknown>
  readonly muted: AccountId | RawBuilder<unknown>
}

/**
 * The condition that one account mutes another at `now`. `offset 0` makes it one look-up in the index of pairs for
 * each row, instead of a join with all that somebody mutes. Of one account it is asked once a statement first whether it
 * mutes anybody.
 */
export function isMuted(
  { muter, muted }: MutePair,
  now: Date,
  scope: MuteScope = 'everything',
): RawBuilder<boolean> {
  const isPair = sql<boolean>`exists (
    select 1 from mutes mute where mute.account_id = ${muter} and mute.target_account_id = ${muted}
      and ${muteHoldsSql('mute', now, scope)} offset 0)`
  if (typeof muter !== 'string') return isPair
  return sql`(${mutesAnybody(muter)} and ${isPair})`
}

/** The condition that an account mutes anybody, or did until a job has deleted the rest of it. */
export const mutesAnybody = (muter: AccountId): RawBuilder<boolean> =>
  sql`exists (select 1 from mutes own where own.account_id = ${muter})`
