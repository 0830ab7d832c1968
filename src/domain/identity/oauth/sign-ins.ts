// From where people signed in: a place that is new is told to them by mail.
import { sql } from 'kysely'
import type { Reader, Tx } from '#ports/ctx.ts'
import { addressNetwork } from '#lib/net/cidr.ts'
import { timeToId } from '#lib/ids.ts'
import type { SignInId, UserId } from '#lib/id.ts'

const day = 86_400_000
/** Signing in again from the same place with the same browser is remembered once in this time, in milliseconds. */
const repeatAfter = day
/** The sign-ins that are looked at. */
const maxKnown = 1000
const atOnce = 1000
const maxUserAgentLength = 300

export interface SignIn {
  userId: UserId
  address: string
  userAgent: string | null
}

/**
 * Remembers a sign-in. One from a network that none came from before is told to the user by mail, but for the first
 * of all.
 */
export async function recordSignIn(tx: Tx, signIn: SignIn): Promise<void> {
  const { userId, address } = signIn
  const userAgent = signIn.userAgent?.slice(0, maxUserAgentLength) ?? null
  const { rows } = await sql<{ ip: string | null; user_agent: string | null; created_at: Date }>`
    select ip, user_agent, created_at from sign_ins where user_id = ${userId}
    order by id desc limit ${maxKnown}`.execute(tx.db)
  const now = tx.clock.now()
  const isRepeated = rows.some(
    (row) =>
      row.ip === address && row.user_agent === userAgent && now - row.created_at.getTime() < repeatAfter,
  )
  if (isRepeated) return
  const id = tx.newId<SignInId>()
  const made = { id, user_id: userId, ip: address, user_agent: userAgent, created_at: new Date(now) }
  await tx.db.insertInto('sign_ins').values(made).execute()
  const place = addressNetwork(address)
  const isKnown = rows.some(({ ip }) => ip !== null && addressNetwork(ip) === place)
  if (rows.length > 0 && !isKnown) await notifyOfSignIn(tx, userId, id)
}

async function notifyOfSignIn(tx: Tx, userId: UserId, signInId: SignInId): Promise<void> {
  const { rows } = await sql<{ email: string }>`select email from users where id = ${userId}`.execute(tx.db)
  if (!rows[0]) return
  await tx.emit({
    type: 'mail.requested',
    mail: { kind: 'new-sign-in', userId, to: rows[0].email, signInId },
  })
}

/** What a mail says of a sign-in. Null when it is forgotten. */
export async function findSignIn(
  reader: Reader,
  id: SignInId,
): Promise<{ address: string; userAgent: string; at: Date } | null> {
  const { rows } = await sql<{ address: string; userAgent: string; at: Date }>`
    select coalesce(ip, '') as address, coalesce(user_agent, '') as "userAgent", created_at as at
    from sign_ins where id = ${id}`.execute(reader.db)
  return rows[0] ?? null
}

/** Forgets sign-ins of before a time, a thousand in one go, until none is left. Returns how many. */
export async function purgeSignIns(reader: Reader, before: Date): Promise<number> {
  for (let gone = 0; ;) {
    const { rows } = await sql`
      delete from sign_ins where id in (
        select id from sign_ins where id < ${timeToId(before.getTime())} order by id limit ${atOnce})
      returning id`.execute(reader.db)
    gone += rows.length
    if (rows.length < atOnce) return gone
  }
}
