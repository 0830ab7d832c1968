// Connections that were closed while nobody used them, by the database or by what stands before it: the server sees it
// only when it asks there, and whoever asked it something is answered all the same.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '#adapters/postgres/database.ts'
import { createWebApp } from '#http/server-app.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { startLiveApp, type LiveApp } from '#test/app/live-app.ts'
import { quietLog } from '#test/app/log.ts'
import type { Person } from '#test/people/people.ts'
import { runProcessSync } from '#test/processes/processes.ts'
import { startRelay, type Relay } from '#test/servers/relay.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let relay: Relay

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  relay = await startRelay(database.url)
})
afterEach(() => relay.close())

/** Ends all connections to the database, as an administrator does, while this process stands still. */
function terminateAll(): void {
  const program = `
    import pg from 'pg'
    const client = new pg.Client({ connectionString: process.argv[1] })
    await client.connect()
    await client.query(\`select pg_terminate_backend(pid, 3600000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()\`)
    await client.end()`
  const args = ['--input-type=module', '--eval', program, database.url]
  expect(runProcessSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
}

/** Two of them readers. */
const connections = 6
const writers = 4

/** Opens all connections that there may be. */
async function openAll(app: LiveApp): Promise<void> {
  const all = Promise.withResolvers<void>()
  let count = 0
  const hold = () =>
    app.ctx.transaction(async ({ db }) => {
      await sql`select 1`.execute(db)
      if (++count === writers) all.resolve()
      await all.promise
    })
  await Promise.all(Array.from({ length: writers }, hold))
}

const ways = [
  ['by the database', () => database.url, terminateAll],
  ['by the database, beyond a network', () => relay.url, terminateAll],
  ['by what stands before the database', () => relay.url, () => relay.cut()],
] as const

describe.each(ways)('when idle connections were closed %s [ROB-2]', (_by, url, close) => {
  let app: LiveApp
  let alice: Person
  /** Past the network, so that nothing of it is looked at between the end of connections and the request. */
  let fetch: (path: string, status?: string) => Promise<Response>

  beforeEach(async () => {
    app = await startLiveApp({ databaseUrl: url(), worker: false, connections })
    const web = createWebApp(app.ctx)
    alice = await app.person('alice')
    const headers = { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' }
    fetch = async (path, status) =>
      web.fetch(
        new Request(new URL(path, app.url), {
          headers,
          ...(status !== undefined && { method: 'POST', body: JSON.stringify({ status }) }),
        }),
      )
    await post('before')
    await read()
    await openAll(app)
  })
  afterEach(() => app.close())

  const post = (text: string) => fetch('/api/v1/statuses', text)
  const read = () => fetch(`/api/v1/accounts/${alice.accountId}/statuses`)
  const contents = async () => {
    const posts = (await (await read()).json()) as { content: string }[]
    return posts.map(({ content }) => content)
  }

  test('who reads next is answered, and who reads then', async () => {
    close()
    expect((await read()).status).toBe(200)
    expect((await read()).status).toBe(200)
  })

  test('who posts next has posted, and who posts then', async () => {
    close()
    expect((await post('first')).status).toBe(200)
    expect((await post('second')).status).toBe(200)
    expect(await contents()).toEqual(['<p>second</p>', '<p>first</p>', '<p>before</p>'])
  })

  test('all who come at once are answered, and nothing is done twice', async () => {
    close()
    const words = Array.from({ length: 10 }, (_, index) => `word ${index}`)
    const answers = await Promise.all(words.flatMap((word) => [post(word), read()]))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await contents()).toSorted()).toEqual(
      ['before', ...words].map((word) => `<p>${word}</p>`).toSorted(),
    )
  })
})

describe('when a connection is closed while its first statement is at work', () => {
  let aside: pg.Client
  let asked: Database

  beforeEach(async () => {
    aside = new pg.Client({ connectionString: database.url })
    await aside.connect()
    onTestFinished(() => aside.end())
    asked = openDatabase({ url: relay.url, max: 1, log: quietLog })
    onTestFinished(() => asked.close())
    await aside.query('drop table if exists written')
    await aside.query('create table written (word text)')
    // It was in use, and is idle.
    await sql`insert into written values (${'before'})`.execute(asked.db)
    await aside.query('begin')
    await aside.query('lock table written')
  })

  const waiting = async () => {
    const { rows } = await aside.query<{ pid: number }>(`
      select pid from pg_locks where relation = 'written'::regclass and not granted`)
    return rows.map(({ pid }) => pid)
  }
  const words = async () => {
    const { rows } = await aside.query<{ word: string }>('select word from written order by word')
    return rows.map(({ word }) => word)
  }

  test('one that may have been done is not asked again', async () => {
    const write = sql`insert into written values (${'once'})`.execute(asked.db)
    const answer = write.then(
      () => 'done',
      (error: Error) => error.message,
    )
    await expect.poll(waiting).toHaveLength(1)
    relay.cut()
    expect(await answer).toBe('Connection terminated unexpectedly')
    await aside.query('rollback')
  })

  test('a transaction that was never to be committed there begins anew on another one', async () => {
    const write = asked.transaction((db) => sql`insert into written values (${'once'})`.execute(db))
    await expect.poll(waiting).toHaveLength(1)
    const [first] = await waiting()
    relay.cut()
    await expect.poll(async () => (await waiting()).filter((pid) => pid !== first)).toHaveLength(1)
    await aside.query('rollback')
    await write
    expect(await words()).toEqual(['before', 'once'])
  })
})
