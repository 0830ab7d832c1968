// Work that cannot be done: set aside after a few tries and shown, while the rest goes on.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { claimIncoming, insertIncoming, setIncomingAside } from '#domain/federation/queue/incoming.ts'
import { listFailedWork, retryFailedWork } from '#db/failed-work.ts'
import { releaseAbandonedJobs, showHolder } from '#db/job-holders.ts'
import { claimEvents, countAttempt } from '#db/outbox.ts'
import { createDrain } from '#worker/outbox.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { startLiveApp, type LiveApp } from '#test/app/live-app.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { startRelay, type Relay } from '#test/servers/relay.ts'
import { runHere } from '#test/processes/run-here.ts'
import pg from 'pg'
import type { IncomingActivityId, OutboxEntryId } from '#lib/id.ts'

const hour = 3_600_000

let database: Awaited<ReturnType<typeof freshDatabase>>
let app: LiveApp
/** The database at an address that an operator may write: the tests' own may be a socket. */
let relay: Relay
let folder: string
const failing = new Set<string>()
const mails: string[] = []

beforeAll(async () => {
  database = await freshDatabase()
  relay = await startRelay(database.url)
  folder = await mkdtemp(path.join(tmpdir(), 'stonechat-poison-'))
  app = await startLiveApp({ databaseUrl: database.url, worker: false, onMail })
})
afterAll(async () => {
  await app?.close()
  await relay?.close()
  await rm(folder, { recursive: true, force: true })
  await database?.drop()
})

afterEach(async () => {
  await sql`delete from outbox`.execute(app.ctx.db)
  await sql`delete from graphile_worker._private_jobs`.execute(app.ctx.db)
})

async function onMail({ to }: { to: string }): Promise<void> {
  if (failing.has(to)) throw new Error(`no way to ${to}`)
  mails.push(to)
}

/** `bin/stonechat jobs …`. */
async function jobs(...words: string[]): Promise<string[]> {
  const env = { DATABASE_URL: relay.url, DATA_DIR: folder, LOCAL_DOMAIN: 'chat.example' }
  const ended = await runHere(['jobs', ...words], env)
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  return ended.stdout.trim().split('\n').filter(Boolean)
}

const askForReset = (email: string) =>
  app.ctx.transaction((tx) => tx.emit({ type: 'password-reset.asked', email }))

interface Job {
  id: string
  attempts: number
  max: number
  error: string | null
  wait: number
}
const listJobs = async () =>
  (
    await sql<Job>`
      select id::text, attempts, max_attempts as max, last_error as error,
        extract(epoch from run_at - now())::float8 as wait
      from graphile_worker._private_jobs order by id`.execute(app.ctx.db)
  ).rows

/** Lets waiting jobs run now. */
const hurry = () => sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.ctx.db)

describe('an event that ends its process each time [ROB-20]', () => {
  test('is set aside after a few tries and shown; the others are done; the operator may try it again', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    await app.settle()
    expect((await bob.get('/api/v1/timelines/home')).ok()).toEqual([])
    const harmless = await alice.say('harmless')
    await alice.say('poison')
    const take = () => {
      const now = app.clock.now()
      return claimEvents(app.ctx.db, { now, until: now + 1_000, limit: 100 })
    }
    const poisonId = (await take()).at(-1)?.id as OutboxEntryId
    // The process that took both has died. From now on each is run alone, so that only one is to blame.
    let deaths = 1
    for (; deaths < 20; deaths++) {
      app.clock.advance(2_000)
      const row = (await take()).find(({ id }) => id === poisonId)
      if ((row?.attempts ?? 0) > 5) break
      await countAttempt(app.ctx.db, poisonId)
    }
    expect(deaths).toBeLessThanOrEqual(6)
    app.clock.advance(2_000)
    await createDrain(app.ctx).run()
    const home = (await bob.get('/api/v1/timelines/home')).ok()
    expect(home.map((status: { id: string }) => status.id)).toEqual([harmless.id])
    const listed = await jobs('list')
    expect(listed).toHaveLength(1)
    expect(listed[0]).toContain(`event-${poisonId}`)
    expect(listed[0]).toContain('status.created')
    expect(listed[0]).toContain('the process ended each time')

    app.clock.advance(hour)
    expect(await createDrain(app.ctx).run()).toBe(0)
    await jobs('retry', `event-${poisonId}`)
    await app.settle()
    expect((await bob.get('/api/v1/timelines/home')).ok()).toHaveLength(2)
    expect(await listFailedWork(app.ctx.db)).toEqual([])
  })
})

describe('an effect that fails [ROB-20]', () => {
  test('is tried again alone, later and later, and in the end stays visible; the others go on; a retry works', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    failing.add(alice.email)
    await askForReset(alice.email)
    await app.settle()
    const waits: number[] = []
    for (let tries = 1; tries <= 5; tries++) {
      const [job] = await listJobs()
      expect(job).toMatchObject({ attempts: tries, max: 16, error: `no way to ${alice.email}` })
      waits.push(job?.wait as number)
      await hurry()
      await app.settle()
    }
    expect(waits[0]).toBeLessThan(5)
    for (let i = 1; i < waits.length; i++) expect(waits[i]).toBeGreaterThan((waits[i - 1] as number) * 1.5)

    await askForReset(bob.email)
    await app.settle()
    expect(mails).toEqual([bob.email])

    await sql`update graphile_worker._private_jobs set attempts = 15, run_at = now()`.execute(app.ctx.db)
    await app.settle()
    await hurry()
    await app.settle()
    const [job] = await listJobs()
    expect(job?.attempts).toBe(16)
    const listed = await jobs('list')
    expect(listed).toHaveLength(1)
    expect(listed[0]).toContain(`job-${job?.id}`)
    expect(listed[0]).toContain(`no way to ${alice.email}`)

    failing.clear()
    expect(await retryFailedWork(app.ctx.db, [`job-${job?.id}`])).toBe(1)
    await app.settle()
    expect(mails).toEqual([bob.email, alice.email])
    expect(await listJobs()).toEqual([])
  })
})

describe('a job whose process dies [ROB-20]', () => {
  const addJob = () =>
    app.ctx.jobs.add('effect', {
      event: { type: 'status.pinned', accountId: '1', statusId: '1' },
      effect: 'deliver-pin',
    })
  const hold = (holder: string) =>
    sql`update graphile_worker._private_jobs set attempts = attempts + 1, locked_by = ${holder}, locked_at = now()
      where locked_at is null and attempts < max_attempts`.execute(app.ctx.db)

  test('is taken up again, and set aside when it happens each time', async () => {
    await addJob()
    const waits: number[] = []
    for (let deaths = 1; deaths <= 4; deaths++) {
      await hold('pool-dead')
      expect(await releaseAbandonedJobs(app.ctx.db, 0)).toBe(1)
      waits.push((await listJobs())[0]?.wait as number)
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    const [job] = await listJobs()
    expect(job).toMatchObject({ attempts: 4, max: 4, error: 'the process ended while this ran' })
    expect(await listFailedWork(app.ctx.db)).toMatchObject([{ id: `job-${job?.id}`, attempts: 4 }])
    await hurry()
    await app.settle()
    expect(await listJobs()).toHaveLength(1)
    await retryFailedWork(app.ctx.db, [`job-${job?.id}`])
    await app.settle()
    expect(await listJobs()).toEqual([])
  })

  test('is not taken from a holder that is there', async () => {
    const session = new pg.Client({ connectionString: database.url })
    await session.connect()
    await session.query(showHolder, ['pool-alive'])
    await addJob()
    await hold('pool-alive')
    expect(await releaseAbandonedJobs(app.ctx.db, 0)).toBe(0)
    await session.end()
    await expect.poll(() => releaseAbandonedJobs(app.ctx.db, 0)).toBe(1)
    await hurry()
    await app.settle()
  })

  test('is done by the next server at once', async () => {
    await addJob()
    await hold('pool-killed')
    const next = await startLiveApp({ databaseUrl: database.url, alone: true })
    try {
      await expect.poll(listJobs, { interval: 100 }).toEqual([])
    } finally {
      await next.close()
    }
  })
})

describe('an activity of another server that ends its process each time [ROB-20]', () => {
  test('is shown when it was set aside; the operator may try it again, or forget it', async () => {
    const { accountId, domain } = await remoteAccount(app.ctx)
    const fresh = { id: app.ctx.newId<IncomingActivityId>(), digest: randomBytes(32), signedAt: null }
    await insertIncoming(app.ctx, { ...fresh, signerId: accountId, body: '{}', recipientId: null })
    const take = async () => {
      const now = app.clock.now()
      const claim = { now, until: now + 1_000, limit: 10, busy: [], fullHosts: [] }
      return (await app.ctx.transaction((tx) => claimIncoming(tx, claim))).map(({ id }) => id)
    }
    const ids = await take()
    expect(ids).toHaveLength(1)
    await setIncomingAside(app.ctx, ids)
    app.clock.advance(hour)
    expect(await take()).toEqual([])
    const listed = await jobs('list')
    expect(listed).toHaveLength(1)
    for (const word of [`incoming-${ids[0]}`, `https://${domain}/`, 'the process ended each time'])
      expect(listed[0]).toContain(word)

    expect(await jobs('retry', '--all')).toEqual(['To run again: 1'])
    expect(await jobs('list')).toEqual([])
    expect(await take()).toEqual(ids)
    await setIncomingAside(app.ctx, ids)
    expect(await jobs('discard', `incoming-${ids[0]}`)).toEqual(['Discarded: 1'])
    expect(await jobs('list')).toEqual([])
    expect(await take()).toEqual([])
  })
})
