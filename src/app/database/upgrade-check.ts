// What the first start of this program would do to the database, and how long that would take. Changes nothing.
import { openDatabase } from '#adapters/postgres/database.ts'
import { loadConfig } from '#config/config.ts'
import { describeDatabase, listTableSizes, type TableSize } from '#db/describe.ts'
import { describeSchema } from '#db/migrate.ts'
import { assertSupportedPostgres } from '#db/supported-postgres.ts'
import { planOf, type PlannedStatement } from '#db/migration-plan.ts'
import { migrations, type Migration } from '#db/migrations/index.ts'
import { softwareVersion } from '#domain/server/instance/document-version.ts'
import { createLog } from '../log/log.ts'
import { joinPostgres } from '../postgres.ts'

export interface PlannedMigration {
  number: number
  name: string
  /** Whether programs of the version before go on working while and after it is done. */
  sideBySide: boolean
  /** Tables that it goes through, with an estimate. */
  work: { table: string; rows: number; seconds: number }[]
  seconds: number
}

export interface UpgradeCheck {
  program: string
  /** Numbers of migrations: of the database (null: it is empty), of this program, and the oldest that it brings forward. */
  schema: { database: number | null; program: number; oldest: number }
  postgres: string
  migrations: PlannedMigration[]
  seconds: number
  sideBySide: boolean
}

/** What a usual disk and core do in a second, rather too little: bytes of a table for an index of it, and rows written. */
const indexedBytes = 30e6
const writtenRows = 10_000

/** Returns what would be migrated. Throws ConfigError, and an Error of one line when the database cannot be used. */
export async function checkUpgrade(env: NodeJS.ProcessEnv): Promise<UpgradeCheck> {
  const config = loadConfig(env)
  const log = createLog({ logLevel: env['LOG_LEVEL'] ? config.logLevel : 'warn' }, 'stderr')
  const postgres = await joinPostgres(config, log)
  const database = openDatabase({ url: postgres.url, max: 1, log })
  try {
    await assertSupportedPostgres(database.db)
    const state = await describeSchema(database.db as never)
    const sizes = new Map((await listTableSizes(database.db)).map((size) => [size.name, size]))
    const planned = await Promise.all(state.pending.map((migration) => estimate(migration, sizes)))
    const version = state.newest === null ? null : (await describeDatabase(database.db)).version
    return {
      program: softwareVersion,
      schema: { database: state.newest, program: migrations.at(-1)?.number ?? 0, oldest: 1 },
      postgres: `${version ?? 'PostgreSQL'}, ${config.databaseUrl === null ? 'embedded' : 'outside'}`,
      migrations: planned,
      seconds: planned.reduce((sum, { seconds }) => sum + seconds, 0),
      sideBySide: planned.every(({ sideBySide }) => sideBySide),
    }
  } finally {
    await database.close()
    await postgres.close()
  }
}

async function estimate(
  migration: Migration,
  sizes: ReadonlyMap<string, TableSize>,
): Promise<PlannedMigration> {
  const work = (await planOf(migration)).flatMap((statement) => costOf(statement, sizes))
  return {
    number: migration.number,
    name: migration.name,
    sideBySide: !migration.contracts,
    work,
    seconds: work.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}

function costOf(
  { table, work }: PlannedStatement,
  sizes: ReadonlyMap<string, TableSize>,
): PlannedMigration['work'] {
  const size = table === null || work === 'brief' ? undefined : sizes.get(table)
  if (!size) return []
  const seconds = work === 'index' ? size.bytes / indexedBytes : size.rows / writtenRows
  return [{ table: size.name, rows: Math.round(size.rows), seconds: Math.ceil(seconds) }]
}
