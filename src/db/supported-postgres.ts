import { sql, type Kysely } from 'kysely'

/** The oldest major version of PostgreSQL that has all that is asked of it. */
export const oldestPostgres = 15

/** What the operator does about an older one. */
export const upgradePostgres =
  'upgrade it (pg_upgrade, or Debian’s pg_upgradecluster), or move the data to a newer one by pg_dump and correct DATABASE_URL'

/** One line for the operator; `line` is the same without what to do. */
export class OldPostgresError extends Error {
  readonly line: string

  constructor(version: string) {
    const line = `The database is PostgreSQL ${version}: this program needs ${oldestPostgres} or newer`
    super(`${line}, so ${upgradePostgres}`)
    this.name = 'OldPostgresError'
    this.line = line
  }
}

/** Throws an OldPostgresError when statements would fail there one by one, wherever an older one meets what it lacks. */
export async function assertSupportedPostgres<Schema>(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: string; major: number }>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int / 10000 as major`.execute(db)
  const { version = '', major = 0 } = rows[0] ?? {}
  if (major < oldestPostgres) throw new OldPostgresError(version)
}
