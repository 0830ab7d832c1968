import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { migrations as known, type Migration } from './migrations/index.ts'
import { assertSupportedPostgres } from './supported-postgres.ts'

/** Any number that other programs on the same database will hardly take. */
const lockKey = 7_305_117
const pollEvery = 50

/** How long a statement of a migration waits for a lock: whoever comes after it waits as well. */
const lockTimeout = '3s'
/** SQLSTATE of a lock that was not to be had in this time. */
const lockNotAvailable = '55P03'
/** Tries, with a pause between them in which people go on. */
const attempts = 100
const pause = 1_000

/**
 * Brings the schema forward, one transaction a migration, under a lock that a second process waits for.
 * A run that is killed leaves whole migrations only, and the next one goes on from there.
 * `onStart` is called before the first, with the schema's number now and then; 0 is an empty database.
 * A schema of a newer program is left as it is while all that it has beyond this one's only adds to it.
 * Throws an Error with one line for the operator when it does not, and when the PostgreSQL is too old for it.
 */
export async function migrate(
  db: Kysely<unknown>,
  list: readonly Migration[] = known,
  onStart?: (from: number, to: number) => void,
): Promise<number> {
  return db.connection().execute(async (connection) => {
    await assertSupportedPostgres(connection)
    await takeLock(connection)
    try {
      return await migrateLocked(connection, list, onStart)
    } finally {
      // When the connection broke the lock is gone with it, and the reason is the error to tell.
      await sql`select pg_advisory_unlock(${sql.lit(lockKey)})`.execute(connection).catch(() => {})
    }
  })
}

/** Asks again and again: a statement that waits would keep an index from being built concurrently. */
async function takeLock(db: Kysely<unknown>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${sql.lit(lockKey)}) as taken`.execute(db)
    if (rows[0]?.taken) return
    await sleep(pollEvery)
  }
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

export interface SchemaState {
  /** Number of the newest migration; null for a database that is still empty. */
  newest: number | null
  pending: readonly Migration[]
}

/** Looks at the schema and changes nothing. */
export async function describeSchema(db: Kysely<unknown>): Promise<SchemaState> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('schema_migrations') is not null as there`.execute(db)
  if (!rows[0]?.there) return { newest: null, pending: known }
  const applied = await sql<{ number: number }>`select number from schema_migrations`.execute(db)
  const numbers = new Set(applied.rows.map((row) => row.number))
  const pending = known.filter((migration) => !numbers.has(migration.number))
  return { newest: Math.max(0, ...numbers), pending }
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
    if (await onlyExpands(db, mine)) return 0
    throw new Error(
      `The database has schema ${newest}, this program knows only ${mine}: start the newer Stonechat that wrote it`,
    )
  }
  const missing = list.filter((migration) => !applied.has(migration.number))
  if (missing.length > 0) onStart?.(newest, mine)
  for (const migration of missing) {
    await applyPatiently(db, migration)
  }
  return missing.length
}

/** Whether all migrations after `number` leave programs at work that do not know them. */
async function onlyExpands(db: Kysely<unknown>, number: number): Promise<boolean> {
  const { rows } = await sql<{ contracting: number }>`
    select count(*)::int as contracting from schema_migrations where number > ${number} and not expands`.execute(
    db,
  )
  return rows[0]?.contracting === 0
}

/** A statement that waits for a lock holds up all that come after it: it gives way, and is tried again. */
async function applyPatiently(db: Kysely<unknown>, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (migration.outsideTransaction) return await apply(db, migration)
      return await db.transaction().execute(async (transaction) => {
        await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction)
        await apply(transaction, migration)
      })
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable || attempt >= attempts) throw error
      await sleep(pause)
    }
  }
}

async function listApplied(db: Kysely<unknown>): Promise<Set<number>> {
  await sql`create table if not exists schema_migrations (
    number integer primary key, name text not null, applied_at timestamptz not null default now()
  )`.execute(db)
  const { rows: columns } = await sql<{ there: boolean }>`
    select exists (select from pg_attribute where attrelid = 'schema_migrations'::regclass
      and attname = 'expands' and not attisdropped) as there`.execute(db)
  if (!columns[0]?.there)
    await sql`alter table schema_migrations add expands boolean not null default false`.execute(db)
  const { rows } = await sql<{ number: number }>`select number from schema_migrations`.execute(db)
  return new Set(rows.map((row) => row.number))
}

async function apply(db: Kysely<unknown>, migration: Migration): Promise<void> {
  await migration.up(db)
  const { number, name, contracts = false } = migration
  await sql`insert into schema_migrations (number, name, expands) values (${number}, ${name}, ${!contracts})`.execute(
    db,
  )
}
