// Two whole servers with workers on one database.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Queue } from '#config/config.ts'
import { claimEvents } from '#db/outbox.ts'
import { createDrain } from '#worker/outbox.ts'
import { useApp } from '#test/app/app.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { startLiveApp, type LiveApp } from '#test/app/live-app.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

const patient = { interval: 50 }

describe('two workers [ROB-8]', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let apps: LiveApp[]
  const mails: string[] = []

  beforeAll(async () => {
    database = await freshDatabase()
    const onMail = async ({ to }: { to: string }) => void mails.push(to)
    const start = () => startLiveApp({ databaseUrl: database.url, onMail })
    apps = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    for (const app of apps ?? []) await app.close()
    await database?.drop()
  })
  beforeEach(() => void (mails.length = 0))

  test('each event has its effects, each job is done once, and none is lost', async () => {
    const [one, two] = apps as [LiveApp, LiveApp]
    const bob = await one.person('bob')
    const authors = await Promise.all(Array.from({ length: 5 }, () => two.person('author')))
    for (const author of authors) await bob.follow(author)
    await bob.get('/api/v1/timelines/home')
    const post = async (author: (typeof authors)[number]) => {
      const ids: string[] = []
      for (let i = 0; i < 8; i++) ids.push((await author.say(`@${bob.username} ${i}`)).id)
      return ids
    }
    const resets = authors.map((author, i) =>
      (apps[i % 2] as LiveApp).ctx.transaction((tx) =>
        tx.emit({ type: 'password-reset.asked', email: author.email }),
      ),
    )
    const ids = (await Promise.all(authors.map(post))).flat().toSorted()
    await Promise.all(resets)
    const home = async () =>
      (await bob.get('/api/v1/timelines/home?limit=40')).ok().map((status: { id: string }) => status.id)
    await expect.poll(async () => (await home()).toSorted(), patient).toEqual(ids)
    await expect.poll(() => mails.toSorted(), patient).toEqual(authors.map(({ email }) => email).toSorted())
    const left = () =>
      sql`
        select id from outbox union all select id from graphile_worker._private_jobs where run_at <= now()`.execute(
        one.ctx.db,
      )
    await expect.poll(async () => (await left()).rows, patient).toEqual([])
    const { rows } = await sql<{ status_id: string }>`
      select status_id from notifications where account_id = ${bob.accountId} and type = 'mention'`.execute(
      one.ctx.db,
    )
    expect(rows.map((row) => row.status_id).toSorted()).toEqual(ids)
    expect(mails).toHaveLength(authors.length)
  })
})

describe('workers for some queues', () => {
  test('take from these alone: what is in the others waits for a worker that takes from them', async () => {
    const database = await freshDatabase()
    const open: LiveApp[] = []
    onTestFinished(async () => {
      for (const app of open) await app.close()
      await database.drop()
    })
    const start = async (...queues: Queue[]) => {
      const app = await startLiveApp({ databaseUrl: database.url, queues, connections: 4 })
      open.push(app)
      return app
    }
    const forEvents = await start('events')
    const [alice, bob] = [await forEvents.person('alice'), await forEvents.person('bob')]
    await bob.follow(alice)
    await forEvents.ctx.jobs.add('count-today', {})
    const { id } = await alice.say('hello')
    const home = async () => (await bob.get('/api/v1/timelines/home')).ok().map((status) => status.id)
    await expect.poll(home, patient).toEqual([id])
    const waiting = async () =>
      (
        await sql<{ name: string }>`
          select task_identifier as name from graphile_worker.jobs where run_at <= now()`.execute(
          forEvents.ctx.db,
        )
      ).rows.map(({ name }) => name)
    expect(await waiting()).toContain('count-today')
    await start('jobs', 'incoming')
    await expect.poll(waiting, patient).toEqual([])
  })
})

describe('two takers of events [ROB-8]', () => {
  const app = useApp()

  test('do not have the same event within its lease', async () => {
    await app.ctx.transaction(async (tx) => {
      for (let i = 0; i < 400; i++)
        await tx.emit({
          type: 'status.pinned',
          accountId: asId<AccountId>(String(i)),
          statusId: asId<StatusId>(String(i)),
        })
    })
    const now = app.clock.now()
    const until = now + 60_000
    const take = () => claimEvents<{ accountId: AccountId }>(app.ctx.db, { now, until, limit: 50 })
    const taken = (await Promise.all(Array.from({ length: 12 }, take))).flat()
    expect(taken.map((row) => Number(row.event.accountId)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 400 }, (_, i) => i),
    )
    expect(await createDrain(app.ctx).run()).toBe(0)
    app.clock.advance(60_001)
    const drains = Array.from({ length: 4 }, () => createDrain(app.ctx))
    let counts: number[]
    let total = 0
    do {
      counts = await Promise.all(drains.map((drain) => drain.run()))
      total += counts.reduce((sum, count) => sum + count, 0)
    } while (counts.some((count) => count > 0))
    expect(total).toBe(400)
  })

  test('what one could not finish it gives back itself, unblamed, without waiting for the lease', async () => {
    const alice = await app.person('alice')
    await app.settle()
    await alice.say('interrupted')
    const { jobs } = app.ctx
    const away = { ...app.ctx, jobs: { ...jobs, add: () => Promise.reject(new Error('away')) } }
    // Its effects fail, and cannot be queued either: the database is gone.
    const broken = { ...away, transaction: () => Promise.reject(new Error('away')), db: brokenDb(app.ctx.db) }
    const drain = createDrain(broken as never)
    await expect(drain.run()).rejects.toThrow('away')
    broken.db = app.ctx.db
    broken.transaction = app.ctx.transaction as never
    expect(await drain.run()).toBe(1)
    expect((await sql`select id from outbox`.execute(app.ctx.db)).rows).toEqual([])
  })
})

/** Lets events be taken, and nothing else. */
function brokenDb<T extends object>(db: T): T {
  let taken = false
  return new Proxy(db, {
    get(target, name) {
      if (name === 'getExecutor' && !taken) {
        taken = true
        return (target as unknown as { getExecutor(): unknown }).getExecutor.bind(target)
      }
      throw new Error('away')
    },
  })
}
