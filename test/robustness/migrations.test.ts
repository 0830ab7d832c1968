import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '#adapters/postgres/database.ts'
import { createContext } from '#app/context.ts'
import { checkUpgrade } from '#app/database/upgrade-check.ts'
import { loadConfig } from '#config/config.ts'
import { createWebApp } from '#http/server-app.ts'
import { migrate } from '#db/migrate.ts'
import { migrations } from '#db/migrations/index.ts'
import { systemClock } from '#ports/clock.ts'
import { admin, urlOf } from '#test/run/temporary-cluster.ts'
import { quietLog } from '#test/app/log.ts'
import { startProcess } from '#test/processes/processes.ts'

const program = path.resolve(import.meta.dirname, '../support/processes/migrating-process.ts')
const patient = { interval: 20 }
const children: ChildProcess[] = []
let made = 0
let name: string
let url: string

beforeEach(async () => {
  name = `${inject('databases')}_migrate_${process.pid}_${++made}`
  url = urlOf(inject('clusterUrl'), name)
  await admin(inject('clusterUrl'), `create database ${name}`)
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await admin(inject('clusterUrl'), `drop database ${name} with (force)`)
})

/** Starts the program; it hangs in the middle of migration `hang` if that is given. */
function start(hang = '', size = '4') {
  const child = startProcess(process.execPath, [program, url, hang, size], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  let printed = ''
  child.stdout.on('data', (data) => (printed += data))
  return {
    child,
    lines: () => printed.trim().split('\n'),
    go: () => child.stdin.write('go\n'),
    ended: once(child, 'close'),
  }
}

async function query(text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

/** Statements that make a person with a post, in columns that all schemas have. */
const personOf = (number: number) => `
  insert into accounts (id, username, display_name) values (${number}, 'person${number}', 'On ${number}');
  insert into account_stats (account_id) values (${number});
  insert into users (id, account_id, email, email_canonical, password_hash, confirmed_at)
    values (${number}, ${number}, '${number}@example.com', '${number}@example.com', 'x', now());
  insert into statuses (id, account_id, text, content, visibility)
    values (${number}, ${number}, 'hello', '<p>hello</p>', 'public');
  insert into follows (id, account_id, target_account_id)
    select ${number}, ${number}, ${number - 1} where ${number} > 1;`

const tables = () =>
  query("select table_name::text from information_schema.tables where table_name like 'step_%' order by 1")
const applied = () => query('select number from schema_migrations order by 1')
/** Processes that ask again and again whether it is their turn. */
const waiting = () =>
  query(`select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and query like '%pg_try_advisory_lock%'`)

describe('migrations [ROB-6]', () => {
  test('killed in the middle of one: those before it are kept, it is undone, and running again completes', async () => {
    const first = start('3')
    await expect.poll(first.lines, patient).toContain('at 3')
    first.child.kill('SIGKILL')
    await first.ended
    await expect.poll(tables, patient).toEqual(['step_1', 'step_2'])
    expect(await applied()).toEqual([1, 2])
    const second = start()
    await second.ended
    expect(second.lines()).toEqual(['at 3', 'at 4', 'applied 2'])
    expect(await tables()).toEqual(['step_1', 'step_2', 'step_3', 'step_4'])
    expect(await query('select id from step_3')).toEqual([1])
    expect(await applied()).toEqual([1, 2, 3, 4])
  })

  test('two at once: the second waits and finds nothing left to do', async () => {
    const first = start('2')
    await expect.poll(first.lines, patient).toContain('at 2')
    const second = start()
    await expect.poll(waiting, patient).toEqual([1])
    expect(second.lines()).toEqual([''])
    first.go()
    await Promise.all([first.ended, second.ended])
    expect(first.lines().at(-1)).toBe('applied 4')
    expect(second.lines()).toEqual(['applied 0'])
    expect(await applied()).toEqual([1, 2, 3, 4])
  })

  test('one that waits goes on where a killed one stopped', async () => {
    const first = start('2')
    await expect.poll(first.lines, patient).toContain('at 2')
    const second = start()
    await expect.poll(waiting, patient).toEqual([1])
    first.child.kill('SIGKILL')
    await second.ended
    expect(second.lines()).toEqual(['at 2', 'at 3', 'at 4', 'applied 3'])
  })

  test('a schema to which a newer program only added is worked with', async () => {
    await start('', '4').ended
    const older = start('', '2')
    await older.ended
    expect(older.lines()).toEqual(['applied 0'])
    expect(await applied()).toEqual([1, 2, 3, 4])
  })

  test('a schema from which a newer program took something away is refused in one line and not touched', async () => {
    await start('', '4').ended
    // As a migration that contracts is noted.
    await query('update schema_migrations set expands = false where number = 3')
    const older = start('', '2')
    await older.ended
    expect(older.lines()).toEqual([
      'refused The database has schema 4, this program knows only 2: start the newer Stonechat that wrote it',
    ])
    expect(await applied()).toEqual([1, 2, 3, 4])
  })

  test('what a newer program would migrate is told with the tables that it goes through, and not done', async () => {
    const database = openDatabase({ url, max: 1, log: quietLog })
    await migrate(database.db as never, migrations.slice(0, 15)).finally(() => database.close())
    const env = { DATABASE_URL: url.replace('@/', '@localhost/'), LOCAL_DOMAIN: 'chat.example' }
    const found = await checkUpgrade(env)
    expect(found.schema).toEqual({ database: 15, program: migrations.length, oldest: 1 })
    expect(found.migrations.map(({ number }) => number)).toEqual(
      migrations.slice(15).map(({ number }) => number),
    )
    expect(found.migrations.find(({ number }) => number === 17)?.work).toEqual([
      { table: 'applications', rows: 0, seconds: 1 },
    ])
    expect(found.sideBySide).toBe(true)
    expect(await applied()).toHaveLength(15)
  })

  test('what was written on each earlier schema is served, and is written the same way on this one', async () => {
    const database = openDatabase({ url, max: 1, log: quietLog })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    // As the program of each schema would: one person, who follows the one before and has a public post.
    for (const { number } of migrations) {
      await migrate(database.db as never, migrations.slice(0, number))
      await client.query(personOf(number))
    }
    await client.end()
    await database.close()
    const config = loadConfig({ LOCAL_DOMAIN: 'chat.example', SECRET_KEY_BASE: 'ab'.repeat(32) })
    const app = await createContext({
      config,
      databaseUrl: url,
      clock: systemClock,
      log: quietLog,
      connections: 2,
    })
    try {
      const web = createWebApp(app.ctx)
      const get = async (target: string) =>
        (await web.fetch(new Request(`https://chat.example${target}`))).json()
      for (const { number } of migrations) {
        const account = await get(`/api/v1/accounts/lookup?acct=person${number}`)
        expect(account).toMatchObject({ id: String(number), display_name: `On ${number}` })
        const statuses = await get(`/api/v1/accounts/${number}/statuses`)
        expect(statuses).toMatchObject([
          { content: '<p>hello</p>', account: { username: `person${number}` } },
        ])
        const following = await get(`/api/v1/accounts/${number}/following`)
        expect(following).toHaveLength(number === 1 ? 0 : 1)
      }
    } finally {
      await app.close()
    }
  })

  test('whole servers that start at once on an empty database all come up', async () => {
    const config = loadConfig({ LOCAL_DOMAIN: 'chat.example', SECRET_KEY_BASE: 'ab'.repeat(32) })
    const options = { config, databaseUrl: url, clock: systemClock, log: quietLog, connections: 2 }
    const apps = await Promise.all([1, 2, 3].map(() => createContext(options)))
    try {
      const [one, ...others] = apps.map(({ ctx }) => ctx)
      for (const other of others) expect(other.secrets).toEqual(one?.secrets)
      // Each makes ids of its own.
      const ids = apps.flatMap(({ ctx }) => Array.from({ length: 100 }, () => ctx.newId()))
      expect(new Set(ids).size).toBe(300)
    } finally {
      await Promise.all(apps.map((app) => app.close()))
    }
  })
})
