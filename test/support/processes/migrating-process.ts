// A program that migrates the database of its first argument by the list below, and says where it is.
import { sql } from 'kysely'
import { openDatabase } from '#adapters/postgres/database.ts'
import { migrate } from '#db/migrate.ts'
import type { Migration } from '#db/migrations/index.ts'
import { quietLog } from '#test/app/log.ts'

const [url = '', hang = '', size = '4'] = process.argv.slice(2)

const list: Migration[] = Array.from({ length: Number(size) }, (_, index) => ({
  number: index + 1,
  name: `step-${index + 1}`,
  async up(db) {
    await sql.raw(`create table step_${index + 1} (id integer)`).execute(db)
    await sql.raw(`insert into step_${index + 1} values (1)`).execute(db)
    process.stdout.write(`at ${index + 1}\n`)
    // Half done, for as long as the test wants.
    if (hang === String(index + 1)) await new Promise((resolve) => process.stdin.once('data', resolve))
  },
}))

const database = openDatabase({ url, max: 1, log: quietLog })
try {
  process.stdout.write(`applied ${await migrate(database.db as never, list)}\n`)
} catch (error) {
  process.stdout.write(`refused ${(error as Error).message}\n`)
}
await database.close()
process.stdin.destroy()
