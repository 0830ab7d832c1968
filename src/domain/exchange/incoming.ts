// The rows of activities that other servers sent and that are not dealt with yet (docs/adr/0003-outbox.md tells why not
// a job for each).
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { isBelow } from '#domain/moderation/hosts-below.ts'
import {
  actorColumns,
  toStoredActor,
  type ActorRow,
  type StoredActor,
} from '#domain/accounts/remote-actors.ts'

export interface NewIncoming {
  signerId: Id
  /** SHA-256 of what makes it the same as another. */
  digest: Buffer
  body: string
  recipientId: Id | null
}

export interface IncomingRow {
  id: Id
  signer: StoredActor
  /** The host of the signer's address. */
  host: string
  body: string
  recipientId: Id | null
  /** How often it could not be dealt with yet. */
  attempts: number
  /** How often it was taken up before and not finished. */
  suspected: number
}

/** Keeps an activity until it is dealt with. False when a copy of it waits already. */
export async function insertIncoming(ctx: Ctx, incoming: NewIncoming): Promise<boolean> {
  const now = new Date(ctx.clock.now())
  const { rows } = await sql`
    insert into incoming_activities (id, signer_id, host, digest, body, recipient_id, due_at, created_at)
    select ${ctx.newId()}, a.id, coalesce(a.uri_host, ''), ${incoming.digest}, ${incoming.body},
      ${incoming.recipientId}::bigint, ${now}::timestamptz, ${now}::timestamptz
    from accounts a where a.id = ${incoming.signerId}
    on conflict (digest) do nothing returning id`.execute(ctx.db)
  return rows.length > 0
}

export interface IncomingClaim {
  /** Milliseconds since the epoch. */
  now: number
  /** When the lease ends, likewise. */
  until: number
  limit: number
  /** Signers and hosts of which nothing is to be taken now. */
  busy: readonly Id[]
  fullHosts: readonly string[]
}

/**
 * Takes up to `limit` activities that are due by a lease, so that a process that dies leaves them to another. In the
 * order in which they came.
 */
export async function claimIncoming(reader: Reader, claim: IncomingClaim): Promise<IncomingRow[]> {
  const { rows } = await sql<ClaimedRow>`
    with before as materialized (
      select i.id, i.suspected from incoming_activities i
      where i.failed_at is null and i.due_at <= ${new Date(claim.now)}
        and i.signer_id <> all(${claim.busy}::bigint[]) and i.host <> all(${claim.fullHosts}::text[])
      order by i.due_at, i.id limit ${claim.limit} for update skip locked),
    claimed as (
      update incoming_activities i set due_at = ${new Date(claim.until)}, suspected = greatest(i.suspected, 1)
      from before where i.id = before.id
      returning i.id, i.signer_id, i.host, i.body, i.recipient_id, i.attempts, before.suspected)
    select c.id as "incomingId", c.host, c.body, c.recipient_id as "recipientId", c.attempts, c.suspected, ${actorColumns}
    from claimed c join accounts a on a.id = c.signer_id`.execute(reader.db)
  return rows.map(toIncomingRow).toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
}

type ClaimedRow = ActorRow & Omit<IncomingRow, 'id' | 'signer'> & { incomingId: Id }

const toIncomingRow = (row: ClaimedRow): IncomingRow => ({
  id: row.incomingId,
  signer: toStoredActor(row),
  host: row.host,
  body: row.body,
  recipientId: row.recipientId,
  attempts: row.attempts,
  suspected: row.suspected,
})

/** Those that are dealt with. */
export async function removeIncoming(reader: Reader, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from incoming_activities where id = any(${ids}::bigint[])`.execute(reader.db)
}

/** Tries one again later. `dueAt` is in milliseconds since the epoch. */
export async function postponeIncoming(reader: Reader, id: Id, dueAt: number): Promise<void> {
  await sql`
    update incoming_activities set due_at = ${new Date(dueAt)}, attempts = attempts + 1, suspected = 0
    where id = ${id}`.execute(reader.db)
}

/**
 * Gives back activities that were taken until `until` and not begun, as if nobody had taken them. Those that somebody
 * else has taken since are left alone.
 */
export async function returnIncoming(reader: Reader, ids: readonly Id[], until: number): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update incoming_activities set due_at = created_at, suspected = greatest(suspected - 1, 0)
    where id = any(${ids}::bigint[]) and due_at = ${new Date(until)} and failed_at is null`.execute(reader.db)
}

/** Counts that this one is dealt with now, alone: if the process ends meanwhile, it is the one to blame. */
export async function countSuspicion(reader: Reader, id: Id): Promise<void> {
  await sql`update incoming_activities set suspected = suspected + 1 where id = ${id}`.execute(reader.db)
}

/** Keeps activities for the operator to look at: they are not taken up again. */
export async function setIncomingAside(reader: Reader, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update incoming_activities set failed_at = ${new Date(reader.clock.now())}
    where id = any(${ids}::bigint[])`.execute(reader.db)
}

/** Drops all that waits from accounts of a domain and those below it. */
export async function dropIncoming(reader: Reader, domain: string): Promise<void> {
  await sql`
    delete from incoming_activities i using accounts a
    where a.id = i.signer_id and (${isBelow(sql`a.domain`, domain)} or ${isBelow(sql`a.uri_host`, domain)})`.execute(
    reader.db,
  )
}

/** Lets go of what a process that is certainly gone had taken. */
export async function releaseIncoming(reader: Reader): Promise<void> {
  await sql`
    update incoming_activities set due_at = ${new Date(reader.clock.now())}
    where suspected > 0 and failed_at is null`.execute(reader.db)
}

/** Whether its own server, not this one, has suspended an account. */
export async function isSuspendedElsewhere(reader: Reader, accountId: Id): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts where id = ${accountId} and suspended_by_origin`.execute(reader.db)
  return rows.length > 0
}
