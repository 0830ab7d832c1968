// Ids of what was deleted: it never comes back, in whatever order the activities about it arrive.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Reader, Tx } from '#ports/ctx.ts'

const batch = 1000

const hashOf = (uri: string) => createHash('sha256').update(uri).digest()

/** Whether something was deleted, here or before it came. */
export async function isTombstone(reader: Reader, uri: string): Promise<boolean> {
  return (await filterTombstones(reader, [uri])).has(uri)
}

/** Those of the ids that belong to what was deleted. */
export async function filterTombstones(reader: Reader, uris: readonly string[]): Promise<Set<string>> {
  if (uris.length === 0) return new Set()
  const { rows } = await sql<{ uri_hash: Buffer }>`
    select uri_hash from tombstones
    where uri_hash = any(${uris.map(hashOf)}::bytea[])
      and (expires_at is null or expires_at > ${new Date(reader.clock.now())})`.execute(reader.db)
  const found = new Set(rows.map((row) => row.uri_hash.toString('hex')))
  return new Set(uris.filter((uri) => found.has(hashOf(uri).toString('hex'))))
}

/** A signed 64-bit number that stands for the thing with this id: a lock of it, or its place in an order. */
export const numberOf = (uri: string): string => hashOf(uri).readBigInt64BE().toString()

/**
 * Makes those who store and those who delete the thing with these ids come one after the other, until the transaction
 * ends. Whoever stores it asks `filterTombstones` after this.
 */
export async function lockUri(tx: Tx, ...uris: readonly string[]): Promise<void> {
  const keys = uris.map(numberOf)
  await sql`select pg_advisory_xact_lock(k) from unnest(${keys}::bigint[]) k order by k`.execute(tx.db)
}

/**
 * Remembers that something was deleted. Whoever stores it at this moment is waited for: what they stored is found after
 * this, and nothing comes later. `forMs`: for how many milliseconds; without it for ever. What is remembered
 * for longer already stays so.
 */
export async function insertTombstone(reader: Reader, uri: string, forMs?: number): Promise<void> {
  const now = reader.clock.now()
  await sql`
    with held as materialized (select pg_advisory_xact_lock(${numberOf(uri)}::bigint))
    insert into tombstones (uri_hash, expires_at, created_at)
    select ${hashOf(uri)}::bytea, ${forMs === undefined ? null : new Date(now + forMs)}::timestamptz,
      ${new Date(now)}::timestamptz
    from held
    on conflict (uri_hash) do update set expires_at = case
      when tombstones.expires_at is null or excluded.expires_at is null then null
      else greatest(tombstones.expires_at, excluded.expires_at) end`.execute(reader.db)
}

/** Lets what was refused for a while come after all. What was deleted for good stays so. */
export async function forgetTombstone(reader: Reader, uri: string): Promise<void> {
  await sql`
    delete from tombstones where uri_hash = ${hashOf(uri)} and expires_at is not null`.execute(reader.db)
}

/** Remembers for `forMs` milliseconds when something ended; of several ends the last. */
export async function insertEnd(
  reader: Reader,
  name: string,
  { at, forMs }: { at: Date; forMs: number },
): Promise<void> {
  await sql`
    insert into tombstones (uri_hash, expires_at, created_at)
    values (${hashOf(name)}, ${new Date(reader.clock.now() + forMs)}, ${at})
    on conflict (uri_hash) do update set expires_at = excluded.expires_at,
      created_at = greatest(tombstones.created_at, excluded.created_at)`.execute(reader.db)
}

/** When something ended, as `insertEnd` remembers it, or null. */
export async function findEnd(reader: Reader, name: string): Promise<Date | null> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from tombstones
    where uri_hash = ${hashOf(name)} and expires_at > ${new Date(reader.clock.now())}`.execute(reader.db)
  return rows[0]?.created_at ?? null
}

/** Forgets those whose time is over. Returns how many. */
export async function purgeTombstones(reader: Reader): Promise<number> {
  for (let gone = 0; ;) {
    const { rows } = await sql`
      delete from tombstones where uri_hash = any(array(
        select uri_hash from tombstones where expires_at <= ${new Date(reader.clock.now())} limit ${batch}))
      returning 1 as gone`.execute(reader.db)
    gone += rows.length
    if (rows.length < batch) return gone
  }
}
