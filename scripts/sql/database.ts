// A migrated database for the time of a check.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { migrateAll, startTemporaryCluster, urlOf } from '#test/run/temporary-cluster.ts'

/** Calls `use` with a connection to a migrated database: an own one, or one in the cluster of `outside`. */
export async function withMigratedDatabase<T>(
  outside: string | undefined,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  if (outside !== undefined) return withDatabaseIn(outside, use)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'stonechat-sql-'))
  try {
    const postgres = await startTemporaryCluster(dataDir)
    try {
      return await migrateAndUse(postgres.url, use)
    } finally {
      await postgres.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
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
