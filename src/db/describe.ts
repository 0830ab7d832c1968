import { sql } from 'kysely'
import type { Db } from './schema/schema.ts'

export interface DatabaseDescription {
  version: string
  /** Number of the newest migration. */
  schema: number
  bytes: number
  /** The database's own clock. */
  now: Date
}

/** What an operator wants to know of the database. */
export async function describeDatabase(db: Db): Promise<DatabaseDescription> {
  const { rows } = await sql<DatabaseDescription>`
    select current_setting('server_version') as version,
      (select coalesce(max(number), 0) from schema_migrations) as schema,
      pg_database_size(current_database())::float8 as bytes, clock_timestamp() as now`.execute(db)
  return rows[0] as DatabaseDescription
}

/** Returns the version of PostgreSQL. Unlike the size of the database it costs nothing. */
export async function readDatabaseVersion(db: Db): Promise<string> {
  const { rows } = await sql<{
    version: string
  }>`select current_setting('server_version') as version`.execute(db)
  return rows[0]?.version ?? ''
}

export interface DatabaseSizing {
  /** As PostgreSQL writes them, such as `512MB`. */
  sharedBuffers: string
  effectiveCacheSize: string
  workMem: string
  maintenanceWorkMem: string
  maxConnections: number
  /** Of all programs, to all databases of the cluster. */
  connections: number
}

/** Returns the settings that decide how much of its machine the database uses, and how many connections are open. */
export async function describeSizing(db: Db): Promise<DatabaseSizing> {
  const { rows } = await sql<DatabaseSizing>`
    select current_setting('shared_buffers') as "sharedBuffers",
      current_setting('effective_cache_size') as "effectiveCacheSize", current_setting('work_mem') as "workMem",
      current_setting('maintenance_work_mem') as "maintenanceWorkMem",
      current_setting('max_connections')::int as "maxConnections",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections`.execute(
    db,
  )
  return rows[0] as DatabaseSizing
}

export interface TableSize {
  name: string
  /** As PostgreSQL estimates them. */
  rows: number
  /** With its indexes. */
  bytes: number
}

/** Returns the sizes of all tables of this schema. */
export async function listTableSizes(db: Db): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    select relname::text as name, greatest(reltuples, 0)::float8 as rows,
      pg_total_relation_size(oid)::float8 as bytes
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db)
  return rows
}
