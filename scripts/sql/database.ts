// A migrated database for the time of a check.
import path from 'node:path'
import pg from 'pg'
import { withWatchedFolder } from '#test/processes/watched-folder.ts'
import { migrateAll, startTemporaryCluster, urlOf } from '#test/run/temporary-cluster.ts'

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
  const name = `stonechat_sql_check_${process.pid}`
  const admin = new pg.Client({ connectionString: cluster })
  await admin.connect()
  try {
    await admin.query(`create database ${name}`)
    try {
      return await migrateAndUse(urlOf(cluster, name), use)
    } finally {
      await admin.query(`drop database ${name} with (force)`)
    }
  } finally {
    await admin.end()
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
