// A cluster for the time of a run of tests, or of a check of the statements.
import pg from 'pg'
import { migrateJobs } from '#adapters/postgres/jobs.ts'
import { openDatabase } from '#adapters/postgres/database.ts'
import { migrate } from '#db/migrate.ts'
import { quietLog } from '../app/log.ts'

/** Nothing here outlives the run, so nothing needs to reach the disk. */
const fastAndLoose = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_compression: 'off',
  // Databases live for seconds: nothing in them is worth looking after.
  autovacuum: 'off',
  max_connections: '300',
  // Tests run a statement some times, not thousands of times: planning it anew for its values would cost most.
  plan_cache_mode: 'force_generic_plan',
}

/** Starts an embedded cluster, made anew, that keeps nothing. */
export async function startTemporaryCluster(
  dataDir: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { startEmbeddedPostgres } = await import('#adapters/embedded-postgres/start.ts')
  return startEmbeddedPostgres({ dataDir, log: quietLog, settings: fastAndLoose })
}

/** Brings an empty database to the newest schema, the job queue's included. */
export async function migrateAll(url: string): Promise<void> {
  const database = openDatabase({ url, max: 2, log: quietLog })
  await migrate(database.db as never)
  await migrateJobs(database.pool)
  await database.close()
}

/** The address of another database of a cluster, whether the given one names a database or none. */
export const urlOf = (clusterUrl: string, database: string): string =>
  clusterUrl.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`)

/** Runs statements on the cluster's own database, one after the other. */
export async function admin(clusterUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: clusterUrl })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Makes a database that is a copy of another one to which nobody is connected. Its files are copied as they are:
 * writing every page of them to the log takes three times as long.
 */
export function copyDatabase(clusterUrl: string, from: string, name: string): Promise<void> {
  return admin(clusterUrl, copyStatement(from, name))
}

export const copyStatement = (from: string, name: string): string =>
  `create database ${name} template ${from} strategy file_copy`
