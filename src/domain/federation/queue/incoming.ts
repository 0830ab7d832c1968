// The rows of activities that other servers sent and that are not dealt with yet (docs/adr/0003-outbox.md tells why not
// a job for each).
import { sql } from 'kysely'
import { plannedAnew } from '#db/planned-anew.ts'
import { sentWithCommit } from '#db/sent-with-commit.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { isBelow } from '#domain/server/hosts/hosts-below.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import {
  actorColumns,
  toStoredActor,
  type ActorRow,
  type StoredActor,
} from '#domain/identity/accounts/remote/remote-actors.ts'
import type { AccountId, IncomingActivityId } from '#lib/id.ts'

export interface NewIncoming {
  /** A new one. Those with one ordering key are dealt with in the order of these. */
  id: IncomingActivityId
  signerId: AccountId
  /** SHA-256 of what makes it the same as another. */
  digest: Buffer
  body: string
  recipientId: AccountId | null
  /** When its request was signed, as the signature says. */
  signedAt: Date | null
  /** It is not looked at before; null: at once. */
  dueAt?: Date | null
  /** Of the trace in which it came (W3C). */
  traceparent?: string | null
  /** A signed 64-bit number. null: that of its signer. */
  orderingKey?: string | null
}

export interface IncomingRow {
  id: IncomingActivityId
  /** Those that have the same are dealt with one after the other. */
  orderingKey: string
  signer: StoredActor
  /** The host of the signer's address. */
  host: string
  body: string
  recipientId: AccountId | null
  signedAt: Date | null
  /** How often it could not be dealt with yet. */
  attempts: number
  /** How often it was taken up before and not finished. */
  suspected: number
  /** See `NewIncoming`. */
  traceparent: string | null
}

/** Keeps an activity until it is dealt with. False when a copy of it waits already. */
export const insertIncoming = createBatchLoader<Ctx, NewIncoming, boolean>({ max: 16, run: insertAll })

async function insertAll(ctx: Ctx, all: readonly NewIncoming[]): Promise<boolean[]> {
  const now = new Date(ctx.clock.now())
  const { rows } = await sql<{ id: IncomingActivityId }>`
    insert into incoming_activities
      (id, signer_id, host, digest, body, recipient_id, signed_at, due_at, created_at, traceparent, ordering_key)
    select n.id, a.id, coalesce(a.uri_host, ''), n.digest, n.body, n.recipient_id, n.signed_at,
      coalesce(n.due_at, ${now}::timestamptz), ${now}::timestamptz, n.traceparent, n.ordering_key
    from unnest(${all.map((one) => one.id)}::bigint[], ${all.map((one) => one.signerId)}::bigint[],
        ${all.map((one) => one.digest)}::bytea[], ${all.map((one) => one.body)}::text[],
        ${all.map((one) => one.recipientId)}::bigint[], ${all.map((one) => one.signedAt)}::timestamptz[],
        ${all.map((one) => one.dueAt ?? null)}::timestamptz[], ${all.map((one) => one.traceparent ?? null)}::text[],
        ${all.map((one) => one.orderingKey ?? null)}::bigint[])
      n (id, signer_id, digest, body, recipient_id, signed_at, due_at, traceparent, ordering_key)
    join accounts a on a.id = n.signer_id
    on conflict (digest) do nothing returning id`.execute(ctx.db)
  const stored = new Set(rows.map((row) => row.id))
  return all.map((one) => stored.has(one.id))
}

/** How much of a host waits: activities, not counted beyond `max`, and their bytes as they are stored. */
export async function measureWaiting(
  reader: Reader,
  host: string,
  max: number,
): Promise<{ activities: number; bytes: number }> {
  const { rows } = await sql<{ activities: number; bytes: number }>`
    select count(*)::int as activities, coalesce(sum(size), 0)::float8 as bytes from (
      select pg_column_size(body) as size from incoming_activities where host = ${host} limit ${max}) w`.execute(
    reader.db,
  )
  return rows[0] ?? { activities: 0, bytes: 0 }
}

export interface IncomingClaim {
  /** Milliseconds since the epoch. */
  now: number
  /** When the lease ends, likewise. */
  until: number
  limit: number
  /** Ordering keys and hosts of which nothing is to be taken now. */
  busy: readonly string[]
  fullHosts: readonly string[]
}

const keyOf = (alias: string) =>
  sql`coalesce(${sql.ref(`${alias}.ordering_key`)}, ${sql.ref(`${alias}.signer_id`)})`

/**
 * Takes up to `limit` activities that are due by a lease, so that a process that dies leaves them to another. In the
 * order in which they came; of an ordering key of which some are taken already and not dealt with, whoever has them,
 * nothing: when their lease ends, they come before the others. Claims come one after the other, so that each sees the
 * ones before it.
 */
export async function claimIncoming({ db }: Tx, claim: IncomingClaim): Promise<IncomingRow[]> {
  await sql`select pg_advisory_xact_lock(hashtext('stonechat:incoming')) ${sql.raw(sentWithCommit)}`.execute(
    db,
  )
  const now = new Date(claim.now)
  const key = keyOf('i')
  const taken = sql`select ${keyOf('h')} from incoming_activities h where h.suspected > 0 and h.failed_at is null`
  const { rows } = await sql<ClaimedRow>`
    with before as materialized (
      select i.id, i.suspected from incoming_activities i
      where i.failed_at is null and i.due_at <= ${now}
        and ${key} <> all(${claim.busy}::bigint[]) and i.host <> all(${claim.fullHosts}::text[])
        and ${key} not in (${taken} and h.due_at > ${now})
        and (i.suspected > 0 or ${key} not in (${taken}))
      order by i.due_at, i.id limit ${claim.limit} for update skip locked),
    claimed as (
      update incoming_activities i set due_at = ${new Date(claim.until)}, suspected = greatest(i.suspected, 1)
      where i.id = any(array(select id from before))
      returning i.id, i.signer_id, ${key} as key, i.host, i.body, i.recipient_id, i.signed_at, i.attempts, i.traceparent)
    select c.id as "incomingId", c.key as "orderingKey", c.host, c.body, c.recipient_id as "recipientId",
      c.signed_at as "signedAt", c.attempts, b.suspected, c.traceparent, ${actorColumns('a')}
    from claimed c join before b on b.id = c.id join accounts a on a.id = c.signer_id ${sql.raw(plannedAnew)}`.execute(
    db,
  )
  return rows.map(toIncomingRow).toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
}

type ClaimedRow = ActorRow & Omit<IncomingRow, 'id' | 'signer'> & { incomingId: IncomingActivityId }

const toIncomingRow = (row: ClaimedRow): IncomingRow => ({
  id: row.incomingId,
  orderingKey: row.orderingKey,
  signer: toStoredActor(row),
  host: row.host,
  body: row.body,
  recipientId: row.recipientId,
  signedAt: row.signedAt,
  attempts: row.attempts,
  suspected: row.suspected,
  traceparent: row.traceparent,
})

/** Those that are dealt with. */
export async function removeIncoming(reader: Reader, ids: readonly IncomingActivityId[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from incoming_activities where id = any(${ids}::bigint[])`.execute(reader.db)
}

/** Tries one again later. `dueAt` is in milliseconds since the epoch. */
export async function postponeIncoming(reader: Reader, id: IncomingActivityId, dueAt: number): Promise<void> {
  await sql`
    update incoming_activities set due_at = ${new Date(dueAt)}, attempts = attempts + 1, suspected = 0
    where id = ${id}`.execute(reader.db)
}

/**
 * Has those that nobody has taken yet, and that were to wait for longer than `until` in milliseconds, be taken up now. What
 * is tried again keeps its time.
 */
export async function hastenIncoming(reader: Reader, until: number): Promise<void> {
  await sql`
    update incoming_activities set due_at = ${new Date(reader.clock.now())}
    where due_at > ${new Date(until)} and attempts = 0 and suspected = 0 and failed_at is null`.execute(
    reader.db,
  )
}

/**
 * Gives back activities that were taken until `until` and not begun, as if nobody had taken them. Those that somebody
 * else has taken since are left alone.
 */
export async function returnIncoming(
  reader: Reader,
  all: readonly Pick<IncomingRow, 'id' | 'suspected'>[],
  until: number,
): Promise<void> {
  if (all.length === 0) return
  await sql`
    update incoming_activities i set due_at = i.created_at, suspected = r.suspected
    from unnest(${all.map((one) => one.id)}::bigint[], ${all.map((one) => one.suspected)}::int[]) r (id, suspected)
    where i.id = r.id and i.due_at = ${new Date(until)} and i.failed_at is null`.execute(reader.db)
}

/** Counts that this one is dealt with now, alone: if the process ends meanwhile, it is the one to blame. */
export async function countSuspicion(reader: Reader, id: IncomingActivityId): Promise<void> {
  await sql`update incoming_activities set suspected = suspected + 1 where id = ${id}`.execute(reader.db)
}

/** Keeps activities for the operator to look at: they are not taken up again. */
export async function setIncomingAside(reader: Reader, ids: readonly IncomingActivityId[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update incoming_activities set failed_at = ${new Date(reader.clock.now())}
    where id = any(${ids}::bigint[])`.execute(reader.db)
}

export interface FailedIncoming {
  id: IncomingActivityId
  /** Who sent it. */
  signer: string
  suspected: number
  failedAt: Date
}

/** What was set aside, oldest first. */
export async function listFailedIncoming(reader: Reader): Promise<FailedIncoming[]> {
  const { rows } = await sql<FailedIncoming>`
    select i.id, coalesce(a.uri, '') as signer, i.suspected, i.failed_at as "failedAt"
    from incoming_activities i join accounts a on a.id = i.signer_id
    where i.failed_at is not null order by i.failed_at, i.id`.execute(reader.db)
  return rows
}

/** Lets what was set aside be taken up again, as if it had just come. Returns how many of the ids were there. */
export async function retryFailedIncoming(
  reader: Reader,
  ids: readonly IncomingActivityId[],
): Promise<number> {
  const { rows } = await sql`
    update incoming_activities set failed_at = null, suspected = 0, attempts = 0,
      due_at = ${new Date(reader.clock.now())}
    where id = any(${ids}::bigint[]) and failed_at is not null returning id`.execute(reader.db)
  return rows.length
}

/** Forgets what was set aside. Returns how many of the ids were there. */
export async function discardFailedIncoming(
  reader: Reader,
  ids: readonly IncomingActivityId[],
): Promise<number> {
  const { rows } = await sql`
    delete from incoming_activities where id = any(${ids}::bigint[]) and failed_at is not null
    returning id`.execute(reader.db)
  return rows.length
}

/** Drops all that waits from accounts of a domain and those below it. */
export async function dropIncoming(reader: Reader, domain: string): Promise<void> {
  await sql`
    delete from incoming_activities i using accounts a
    where a.id = i.signer_id and (${isBelow(sql`a.domain`, domain)} or ${isBelow(sql`a.uri_host`, domain)})`.execute(
    reader.db,
  )
}

/** Lets go of what a process that is certainly gone had taken: it comes before what came later. */
export async function releaseIncoming(reader: Reader): Promise<void> {
  await sql`
    update incoming_activities set due_at = created_at
    where suspected > 0 and failed_at is null`.execute(reader.db)
}

/** Whether its own server, not this one, has suspended an account. */
export async function isSuspendedRemotely(reader: Reader, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts where id = ${accountId} and suspended_by_origin`.execute(reader.db)
  return rows.length > 0
}
