// Whether people can make accounts just now: the mode, and how many may on one day.
import { sql } from 'kysely'
import type { Config, Reader, Tx } from '#ports/ctx.ts'
import { forbidden } from '#lib/errors.ts'
import { createTimed } from '#domain/server/instance/document-cache.ts'
import { isRegistrationPossible, type Settings } from '#domain/server/instance/settings.ts'

const day = 86_400_000

/** Accounts that were made in the last 24 hours; at most five seconds old. */
const recentSignUps = createTimed(5_000, countSignUps)

async function countSignUps(reader: Reader): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users where created_at > ${new Date(reader.clock.now() - day)}`.execute(
    reader.db,
  )
  return rows[0]?.count ?? 0
}

/** Whether as many accounts were made in 24 hours as may be; at most five seconds late. Counts nothing without a limit. */
export async function isDayFull(reader: Reader, settings: Settings): Promise<boolean> {
  const { sign_ups_per_day: limit } = settings
  return limit !== null && (await recentSignUps(reader)) >= limit
}

/** Whether people may make accounts themselves, at once or after approval, and there is room for them today. */
export async function areRegistrationsOpen(reader: Reader, settings: Settings): Promise<boolean> {
  if (!isRegistrationPossible(reader.config, settings) || (await isClosedUntilSetUp(reader))) return false
  return !(await isDayFull(reader, settings))
}

/** Servers of this process on which there is an account: that does not change any more. */
const setUp = new WeakSet<Config>()

/**
 * Whether nobody can sign up because nobody runs the server yet: there is no account, and no operator has said by the
 * command line who may sign up. Asks the database until there is an account.
 */
export async function isClosedUntilSetUp(reader: Reader): Promise<boolean> {
  if (!(await awaitsSetup(reader))) return false
  const { rows } = await sql`select 1 from settings where key = 'registrations_mode'`.execute(reader.db)
  return rows.length === 0
}

/** Whether nobody has an account yet: the first one is that of whoever runs the server. Asks the database until there is one. */
export async function awaitsSetup(reader: Reader): Promise<boolean> {
  if (setUp.has(reader.config)) return false
  const { rows } = await sql<{ found: boolean }>`select exists (select 1 from users) as found`.execute(
    reader.db,
  )
  if (rows[0]?.found) setUp.add(reader.config)
  return rows[0]?.found !== true
}

/**
 * Throws `forbidden` when the day is full. Exact: who makes an account in this transaction is counted by the next one.
 * Does nothing without a limit.
 */
export async function assertRoomToday(tx: Tx, settings: Settings): Promise<void> {
  const { sign_ups_per_day: limit } = settings
  if (limit === null) return
  await sql`select pg_advisory_xact_lock(hashtext('stonechat sign-ups'))`.execute(tx.db)
  if ((await countSignUps(tx)) >= limit) throw forbidden('sign_ups_full')
}
