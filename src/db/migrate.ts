import { sql, type Kysely } from 'kysely'
import { migrations as known, type Migration } from './migrations/index.ts'

/** Any number that other programs on the same database will hardly take. */
const lockKey = 7_305_117

/**
 * Brings the schema forward, one transaction a migration, under a lock that a second process waits for.
 * A run that is killed leaves whole migrations only, and the next one goes on from there.
 * `onStart` is called before the first, with the schema's number now and then; 0 is an empty database.
 * Throws an Error with one line for the operator when the schema is newer than this program.
 */
export async function migrate(
  db: Kysely<unknown>,
  list: readonly Migration[] = known,
  onStart?: (from: number, to: number) => void,
): Promise<number> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${sql.lit(lockKey)})`.execute(connection)
    try {
      return await migrateLocked(connection, list, onStart)
    } finally {
      // When the connection broke the lock is gone with it, and the reason is the error to tell.
      await sql`select pg_advisory_unlock(${sql.lit(lockKey)})`.execute(connection).catch(() => {})
    }
  })
}

/**
 * Applies what is missing up to migration `number`, in the transaction that `db` is in, which nobody else can be at
 * work beside. Throws an Error when this program does not know that number.
 */
export async function migrateTo(db: Kysely<unknown>, number: number): Promise<void> {
  const applied = await listApplied(db)
  if (!known.some((migration) => migration.number === number)) {
    throw new Error(`This program does not know schema ${number}`)
  }
  for (const migration of known) {
    if (migration.number <= number && !applied.has(migration.number)) await apply(db, migration)
  }
}

/** How many migrations this program has that the database has not. Null for a database that is still empty. */
export async function countPending(db: Kysely<unknown>): Promise<number | null> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('schema_migrations') is not null as there`.execute(db)
  if (!rows[0]?.there) return null
  const applied = await sql<{ number: number }>`select number from schema_migrations`.execute(db)
  const numbers = new Set(applied.rows.map((row) => row.number))
  return known.filter((migration) => !numbers.has(migration.number)).length
}

async function migrateLocked(
  db: Kysely<unknown>,
  list: readonly Migration[],
  onStart?: (from: number, to: number) => void,
): Promise<number> {
  const applied = await listApplied(db)
  const newest = Math.max(0, ...applied)
  const mine = list.at(-1)?.number ?? 0
  if (newest > mine) {
    throw new Error(
      `The database has schema ${newest}, this program knows only ${mine}: start the newer Stonechat that wrote it`,
    )
  }
  const missing = list.filter((migration) => !applied.has(migration.number))
  if (missing.length > 0) onStart?.(newest, mine)
  for (const migration of missing) {
    await db.transaction().execute((transaction) => apply(transaction, migration))
  }
  return missing.length
}

async function listApplied(db: Kysely<unknown>): Promise<Set<number>> {
  await sql`create table if not exists schema_migrations (
    number integer primary key, name text not null, applied_at timestamptz not null default now()
  )`.execute(db)
  const { rows } = await sql<{ number: number }>`select number from schema_migrations`.execute(db)
  return new Set(rows.map((row) => row.number))
}

async function apply(db: Kysely<unknown>, migration: Migration): Promise<void> {
  await migration.up(db)
  await sql`insert into schema_migrations (number, name) values (${migration.number}, ${migration.name})`.execute(
    db,
  )
}
