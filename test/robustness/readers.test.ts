// The connections that callers share to read: what befalls one statement befalls no other.
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openDatabase, type Database } from '#adapters/postgres/database.ts'
import { quietLog } from '#test/app/log.ts'
import { often } from '#test/run/patience.ts'
import { admin, urlOf } from '#test/run/temporary-cluster.ts'

let made = 0
let name: string
let database: Database
let aside: pg.Client

beforeEach(async () => {
  name = `${inject('databases')}_readers_${process.pid}_${++made}`
  await admin(inject('clusterUrl'), `create database ${name}`)
  const url = urlOf(inject('clusterUrl'), name)
  aside = new pg.Client({ connectionString: url })
  await aside.connect()
  database = openDatabase({ url, max: 2, readers: 1, log: quietLog })
  await vi.waitUntil(isReader, often)
})
afterEach(async () => {
  await database.close()
  await aside.end()
  await admin(inject('clusterUrl'), `drop database ${name} with (force)`)
})

/** Whether a reader answers: the first one is opened when it is first asked for. */
async function isReader(): Promise<boolean> {
  const { rows } = await sql<{ mode: string }>`
    select current_setting(${'default_transaction_read_only'}) as mode`.execute(database.db)
  return rows[0]?.mode === 'on'
}

const say = async (word: string, asked = database) => {
  const { rows } = await sql<{ word: string; pid: number; isReader: boolean }>`
    select ${word}::text as word, pg_backend_pid() as pid,
      current_setting('default_transaction_read_only') = 'on' as "isReader"`.execute(asked.db)
  return rows[0] as { word: string; pid: number; isReader: boolean }
}
const sleep = () => sql`select pg_sleep(${60}::int)`.execute(database.db)

/** Runs a function on each backend that has slept for a fifth of a second: it is slow by then. */
const onSleepers = async (run: 'pg_cancel_backend' | 'pg_terminate_backend') => {
  const { rowCount } = await aside.query(`
    select ${run}(pid) from pg_stat_activity
    where state = 'active' and query like 'select pg_sleep%' and now() - query_start > interval '200 ms'`)
  return rowCount ?? 0
}

test('statements at the same time share one connection and get their own answers', async () => {
  const words = Array.from({ length: 50 }, (_, index) => `word ${index}`)
  const answers = await Promise.all(words.map((word) => say(word)))
  expect(answers.map(({ word }) => word)).toEqual(words)
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1)
})

/** The readers of a handle that has so many of them at most, as they answer `count` statements that are sent at once. */
function crowdOf(readers: number): (count: number) => Promise<Set<number>> {
  const url = urlOf(inject('clusterUrl'), name)
  const crowded = openDatabase({ url, max: 2, readers, log: quietLog })
  onTestFinished(() => crowded.close())
  return async (count) => {
    const answers = await Promise.all(Array.from({ length: count }, () => say('at once', crowded)))
    // One that writes serves whoever comes before there is a reader.
    return new Set(answers.filter(({ isReader }) => isReader).map(({ pid }) => pid))
  }
}

test('a further reader is used only while the first has too much to do', async () => {
  const pidsOf = crowdOf(3)
  await vi.waitUntil(async () => (await pidsOf(30)).size === 2, often)
  const [first] = await pidsOf(1)
  // Where the database gets no processor for long the first one is slow, and some go elsewhere.
  await expect.poll(async () => [...(await pidsOf(6))], often).toEqual([first])
})

test('the last reader is for when the others are held up, however many statements come at once', async () => {
  const pidsOf = crowdOf(2)
  await vi.waitUntil(async () => (await pidsOf(30)).size > 0, often)
  await expect.poll(async () => (await pidsOf(30)).size, often).toBe(1)
})

test('a statement that fails fails alone', async () => {
  const divide = (by: number) =>
    sql<{ found: number }>`select 6 / ${by}::int as found`
      .execute(database.db)
      .then(({ rows }) => rows[0]?.found)
  const answers = await Promise.allSettled([divide(2), divide(0), divide(3)])
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: 3 },
    { status: 'rejected', reason: { code: '22012' } },
    { status: 'fulfilled', value: 2 },
  ])
})

test('an error leads to who asked', async () => {
  async function whoAsked() {
    await sql`select 6 / ${0}::int`.execute(database.db)
  }
  await expect(whoAsked()).rejects.toMatchObject({ stack: expect.stringContaining('whoAsked') })
})

test('a statement that reads by its text and writes by a function is run, once, where it may write', async () => {
  await aside.query(`
    create table written (word text);
    create function write_down(text) returns text language sql as 'insert into written values ($1) returning word'`)
  const write = (word: string) => sql`select write_down(${word})`.execute(database.db)
  await Promise.all([write('one'), write('two')])
  const { rows } = await aside.query('select word from written order by 1')
  expect(rows).toEqual([{ word: 'one' }, { word: 'two' }])
})

test('a transaction has a connection of its own, and what it wrote is read afterwards', async () => {
  await aside.query('create table written (word text)')
  const inside = await database.transaction(async (db) => {
    await sql`insert into written values (${'said'})`.execute(db)
    return (await sql<{ word: string }>`select word from written where word = ${'said'}`.execute(db)).rows
  })
  const after = await sql<{ word: string }>`select word from written where word = ${'said'}`.execute(
    database.db,
  )
  expect([inside, after.rows]).toEqual([[{ word: 'said' }], [{ word: 'said' }]])
})

test('nobody new waits behind a slow statement, and the reader is used again after it', async () => {
  const { pid } = await say('before')
  const slow = sleep().catch((error: { code: string }) => error.code)
  const isSlow = async () =>
    (
      await aside.query(
        "select 1 from pg_stat_activity where query like 'select pg_sleep%' and now() - query_start > interval '200 ms'",
      )
    ).rowCount
  await expect.poll(isSlow, often).toBe(1)
  // Whoever comes too early for that waits behind it.
  const others = new Set<number>()
  const askMeanwhile = () => {
    void say('meanwhile').then((answer) => others.add(answer.pid))
    return others.size
  }
  await expect.poll(askMeanwhile, often).toBeGreaterThan(0)
  expect(others).not.toContain(pid)
  expect(await onSleepers('pg_cancel_backend')).toBe(1)
  expect(await slow).toBe('57014')
  expect((await say('after')).pid).toBe(pid)
})

test('nobody goes elsewhere because this process stood still', async () => {
  const { pid } = await say('before')
  const before = say('meanwhile')
  for (const end = performance.now() + 500; performance.now() < end;);
  const after = say('afterwards')
  expect(await Promise.all([before, after])).toMatchObject([{ pid }, { pid }])
})

test('who waits on a connection that is lost is answered by another one [ROB-2]', async () => {
  const slow = sleep().catch((error: { code: string }) => error.code)
  const behind = say('behind')
  await expect.poll(() => onSleepers('pg_terminate_backend'), often).toBe(1)
  expect(await behind).toMatchObject({ word: 'behind' })
  // It only reads: it is asked once more, and nobody is told that it was lost.
  await expect.poll(() => onSleepers('pg_cancel_backend'), often).toBe(1)
  expect(await slow).toBe('57014')
  await expect.poll(isReader, often).toBe(true)
})

test('the database too gives up on what nobody waits for any more', async () => {
  const impatient = openDatabase({
    url: urlOf(inject('clusterUrl'), name),
    max: 1,
    log: quietLog,
    maxDuration: 300,
  })
  onTestFinished(() => impatient.close())
  await expect(sql`select pg_sleep(${60}::int)`.execute(impatient.db)).rejects.toThrow()
  const isAtWork = async () => {
    const { rowCount } = await aside.query(
      "select 1 from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'",
    )
    return rowCount
  }
  await expect.poll(isAtWork, often).toBe(0)
})
