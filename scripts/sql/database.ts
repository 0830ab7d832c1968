// A migrated database for the time of a check.
import path from 'node:path'
import pg from 'pg'
import { withWatchedFolder } from '#test/processes/watched-folder.ts'
import { claimDatabases } from '#test/run/claimed-databases.ts'
import { admin, migrateAll, startTemporaryCluster, urlOf } from '#test/run/temporary-cluster.ts'

/** Calls `use` with a connection to a migrated database: an own one, or one in the cluster of `outside`. */
export async function withMigratedDatabase<T>(
  outside: string | undefined,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  if (outside !== undefined) return withDatabaseIn(outside, use)
  return withWatchedFolder('stonechat-sql-', async (folder) => {
    const postgres = await startTemporaryCluster(path.join(folder, 'cluster'))
    try {
      return await migrateAndUse(postgres.url, use)
    } finally {
      await postgres.stop()
    }
  })
}

async function withDatabaseIn<T>(cluster: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const claim = await claimDatabases(cluster)
  try {
    await admin(cluster, `create database ${claim.name}`)
    return await migrateAndUse(urlOf(cluster, claim.name), use)
  } finally {
    await claim.release()
  }
}

async function migrateAndUse<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  await migrateAll(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
