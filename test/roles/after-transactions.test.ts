// What is begun inside a transaction and goes on when it is over: connections, listeners, work put off.
import { AsyncResource } from 'node:async_hooks'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { watchChanges } from '#adapters/postgres/changes.ts'
import { openDatabase, type Database } from '#adapters/postgres/database.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { quietLog } from '#test/app/log.ts'

async function withDatabase(use: (database: Database) => Promise<void>): Promise<void> {
  const { url, drop } = await freshDatabase()
  const database = openDatabase({ url, max: 3, log: quietLog })
  try {
    await use(database)
  } finally {
    await database.close()
    await drop()
  }
}

const ask = (database: Database) => sql<{ one: number }>`select 1 as one`.execute(database.db)

test('the root handle is refused inside a transaction, and not to what was begun there once it is over', () =>
  withDatabase(async (database) => {
    const begun = await database.transaction(async () => {
      await expect(ask(database)).rejects.toThrow('use tx.db')
      return AsyncResource.bind(() => ask(database))
    })
    expect((await begun()).rows).toEqual([{ one: 1 }])
  }))

test('what a connection tells that was opened inside a transaction is heard outside of all', () =>
  withDatabase(async (database) => {
    const heard = Promise.withResolvers<unknown>()
    watchChanges(database.pool, () => heard.resolve(ask(database).then(({ rows }) => rows)))
    await database.transaction(async () => {
      const client = await database.pool.connect()
      await client.query(`do $$ begin raise notice 'roles' using errcode = 'SC001'; end $$`)
      client.release()
      expect(await heard.promise).toEqual([{ one: 1 }])
    })
  }))
