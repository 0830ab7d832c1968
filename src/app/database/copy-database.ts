// All rows of one database into another, empty one: between majors of PostgreSQL, and into or out of the embedded one.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '#adapters/postgres/database.ts'
import { migrateJobs } from '#adapters/postgres/jobs.ts'
import { beginLoad, type Load } from '#db/dump/load.ts'
import {
  beginSnapshot,
  copyTableOut,
  listDumped,
  readSequences,
  schemaNumber,
  type DumpedTable,
} from '#db/dump/tables.ts'
import { clearTarget, countServers, markFinished, stateOfTarget } from '#db/dump/target.ts'
import { migrations } from '#db/migrations/index.ts'
import { assertSupportedPostgres } from '#db/supported-postgres.ts'
import type { Log } from '#ports/log.ts'
import type { ShowProgress } from '../backup/format.ts'
import { cutRows } from '../backup/rows.ts'

export interface CopyOptions {
  from: string
  to: string
  /** Also where there is something: it is replaced. */
  force: boolean
  progress: ShowProgress
  log: Log
}

export interface CopySummary {
  rows: number
  tables: number
  schema: number
}

/**
 * Copies all rows and waiting jobs; feeds are left out, since they are built when somebody reads them. Interrupted, it
 * leaves a database that no server starts on, and can be run again. Throws an Error of one line when the target is in
 * use, or a server is at work on either.
 */
export async function copyDatabase(options: CopyOptions): Promise<CopySummary> {
  const source = await connect(options.from)
  try {
    const target = await connect(options.to)
    try {
      return await copyBetween(source, target, options)
    } finally {
      await target.end().catch(() => {})
    }
  } finally {
    await source.end().catch(() => {})
  }
}

async function copyBetween(source: pg.Client, target: pg.Client, options: CopyOptions): Promise<CopySummary> {
  await assertQuiet(source, 'the database that is copied')
  await assertQuiet(target, 'the database that it is copied to')
  await assertFree(target, options.force)
  await beginSnapshot(source)
  const schema = await assertKnownSchema(source)
  const tables = await listDumped(source)
  const database = openDatabase({ url: options.to, max: 1, log: options.log })
  try {
    await assertSupportedPostgres(database.db)
    await clearTarget(target, randomUUID())
    await migrateJobs(database.pool)
  } finally {
    await database.pool.end()
  }
  const load = await beginLoad(target, { schema, tables })
  const rows = await fill(load, { source, tables, progress: options.progress })
  await source.query('commit')
  // Whoever wrote meanwhile would be missed.
  await assertQuiet(source, 'the database that was copied')
  await target.query('analyze')
  await markFinished(target)
  return { rows, tables: tables.length, schema }
}

interface Source {
  source: pg.Client
  tables: readonly DumpedTable[]
  progress: ShowProgress
}

async function fill(load: Load, { source, tables, progress }: Source): Promise<number> {
  try {
    let rows = 0
    const shown = progress('Rows')
    for (const table of tables) {
      for await (const part of cutRows(copyTableOut(source, table))) {
        const count = await load.copyIn(table, part)
        rows += count
        shown.advance(count)
      }
    }
    shown.done()
    const indexes = progress('Indexes and keys')
    await load.finish(await readSequences(source), () => indexes.advance())
    indexes.done()
    return rows
  } catch (error) {
    await load.abandon()
    throw error
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  // As what a restore is called, so that neither works beside the other.
  const client = new pg.Client({ connectionString, application_name: 'stonechat-restore', keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function assertQuiet(client: pg.Client, what: string): Promise<void> {
  if ((await countServers(client)) > 0)
    throw new Error(`A server or a command is at work on ${what}: stop it, and begin again`)
}

async function assertFree(target: pg.Client, force: boolean): Promise<void> {
  if (force || (await stateOfTarget(target)) !== 'used') return
  throw new Error(
    'There is something in the database to copy to: name an empty one, or add --force to replace it',
  )
}

async function assertKnownSchema(source: pg.Client): Promise<number> {
  if ((await stateOfTarget(source)) !== 'used')
    throw new Error(
      'The database to copy has no server of this program in it, or a restore that was not finished',
    )
  const schema = await schemaNumber(source)
  const mine = migrations.at(-1)?.number ?? 0
  if (schema <= mine) return schema
  throw new Error(
    `The database has schema ${schema}, this program knows only ${mine}: use the Stonechat that wrote it`,
  )
}
