import { sql } from 'kysely'
import type { Db } from './schema/schema.ts'

export interface DatabaseDescription {
  version: string
  major: number
  /** Number of the newest migration. */
  schema: number
  bytes: number
  /** The database's own clock. */
  now: Date
}

/** What an operator wants to know of the database. */
export async function describeDatabase(db: Db): Promise<DatabaseDescription> {
  const { rows } = await sql<DatabaseDescription>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
      (select coalesce(max(number), 0) from schema_migrations) as schema,
      pg_database_size(current_database())::float8 as bytes, clock_timestamp() as now`.execute(db)
  return rows[0] as DatabaseDescription
}
