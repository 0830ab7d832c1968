// The rows of the outbox: events that are committed and whose effects have not run yet.
import { sql, type RawBuilder } from 'kysely'
import { plannedAnew } from './planned-anew.ts'
import { sentWithCommit } from './sent-with-commit.ts'
import { compareIds } from '#lib/ids.ts'
import { toStoredJson } from '#lib/json/stored-json.ts'
import type { Db } from './schema/schema.ts'
import type { OutboxEntryId } from '#lib/id.ts'

/** The channel on which a process that wrote an event says so. The outbox itself is the truth. */
export const outboxChannel = 'outbox'

export interface OutboxRow<E> {
  id: OutboxEntryId
  event: E
  attempts: number
  /** Of the trace in which it came to be (W3C). */
  traceparent: string | null
}

/**
 * Adds events in their order, as the last of the transaction of what they follow from, with the trace that it belongs
 * to. Where that fails, the commit does.
 */
export async function insertEvents<E>(
  db: Db,
  events: readonly E[],
  traceparent: string | null,
): Promise<void> {
  const texts = events.map(toStoredJson)
  if (texts.length === 0) return
  // Most are alone, and cost a fifth less without an order.
  const rows =
    texts.length === 1
      ? sql`values (${texts[0]}::jsonb, ${traceparent})`
      : sql`select e.event::jsonb, ${traceparent}
          from unnest(${texts}::text[]) with ordinality e (event, place) order by e.place`
  await sql`insert into outbox (event, traceparent) ${rows} ${sql.raw(sentWithCommit)}`.execute(db)
}

/** An event of one type whose fields, all texts, are columns of a relation. */
export interface EventFromRows<E extends { type: string }> {
  type: E['type']
  columns: { readonly [K in Exclude<keyof E, 'type'>]: E[K] extends string ? string : never }
  /** The relation: a common table expression of the statement. */
  from: string
}

/**
 * An INSERT of one event for each row of `from`, as a part of the statement that makes these rows: where their ids are
 * made by it and a transaction would take three more round trips. `traceparent` as of `insertEvents`.
 */
export function insertingEvents<E extends { type: string }>(
  { type, columns, from }: EventFromRows<E>,
  traceparent: string | null,
): RawBuilder<unknown> {
  const fields = Object.entries<string>(columns).flatMap(([field, column]) => [
    sql`${field}::text`,
    sql`${sql.ref(column)}::text`,
  ])
  return sql`
    insert into outbox (event, traceparent)
    select jsonb_build_object('type', ${type}::text, ${sql.join(fields)}), ${traceparent}::text from ${sql.table(from)}`
}

/**
 * Takes up to `limit` waiting events by a lease, so that a process that dies leaves them to another. Oldest first.
 * Times are milliseconds since the epoch. `attempts` is 0 for a row that nobody has taken before. Being taken counts
 * as one attempt, however often: who runs a row alone counts that itself, by `countAttempt`.
 */
export async function claimEvents<E>(
  db: Db,
  claim: { now: number; until: number; limit: number },
): Promise<OutboxRow<E>[]> {
  const { rows } = await sql<OutboxRow<E>>`
    with before as materialized (
      select id, attempts from outbox
      where failed_at is null and (claimed_until is null or claimed_until < ${new Date(claim.now)})
      order by id limit ${claim.limit} for update skip locked),
    claimed as (
      update outbox o set attempts = greatest(o.attempts, 1), claimed_until = ${new Date(claim.until)}
      where o.id = any(array(select id from before)) returning o.id, o.event, o.traceparent)
    select c.id, c.event, b.attempts, c.traceparent from claimed c join before b on b.id = c.id
    ${sql.raw(plannedAnew)}`.execute(db)
  return rows.toSorted((a, b) => compareIds(a.id, b.id))
}

/** Counts that this event is run now, alone: if the process ends meanwhile, this event is the one to blame. */
export async function countAttempt(db: Db, id: OutboxEntryId): Promise<void> {
  await sql`update outbox set attempts = attempts + 1 where id = ${id}`.execute(db)
}

/** Events that came before the one of `before` and are not done, whoever has them, but for those of `except`. */
export async function listEarlierEvents<E>(
  db: Db,
  { before, except }: { before: OutboxEntryId; except: readonly OutboxEntryId[] },
): Promise<Pick<OutboxRow<E>, 'id' | 'event'>[]> {
  const { rows } = await sql<Pick<OutboxRow<E>, 'id' | 'event'>>`
    select id, event from outbox
    where failed_at is null and id < ${before} and id <> all(${except}::bigint[])`.execute(db)
  return rows
}

/** Events whose effects ran, or wait as jobs of their own. */
export async function removeEvents(db: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from outbox where id = any(${ids}::bigint[])`.execute(db)
}

/**
 * Gives back events that were taken until `until` and not run after all, as if nobody had taken them. Those that
 * somebody else has taken since are left alone.
 */
export async function returnEvents(db: Db, ids: readonly string[], until: number): Promise<void> {
  await sql`
    update outbox set claimed_until = null, attempts = greatest(attempts - 1, 0)
    where id = any(${ids}::bigint[]) and claimed_until = ${new Date(until)} and failed_at is null`.execute(db)
}

/**
 * Gives back events that were taken until `until`, to be taken again after `after`. Those of `fresh` as if nobody had
 * taken them.
 */
export async function postponeEvents(
  db: Db,
  ids: readonly OutboxEntryId[],
  { fresh, until, after }: { fresh: readonly OutboxEntryId[]; until: number; after: number },
): Promise<void> {
  await sql`
    update outbox set claimed_until = ${new Date(after)},
      attempts = case when id = any(${fresh}::bigint[]) then 0 else attempts end
    where id = any(${ids}::bigint[]) and claimed_until = ${new Date(until)} and failed_at is null`.execute(db)
}

/** Keeps events for the operator to look at: they are not taken up again. */
export async function setEventsAside(
  db: Db,
  ids: readonly string[],
  now: number,
  error: string,
): Promise<void> {
  await sql`update outbox set failed_at = ${new Date(now)}, error = ${error} where id = any(${ids}::bigint[])`.execute(
    db,
  )
}

/** Lets go of what a process that is certainly gone had taken. */
export async function releaseAllClaims(db: Db): Promise<void> {
  await sql`update outbox set claimed_until = null where claimed_until is not null and failed_at is null`.execute(
    db,
  )
}
