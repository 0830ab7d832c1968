// Two processes, so to speak, over a PostgreSQL and a replica that follows it: nobody is shown less than was written before.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { checkReplicas } from '#app/doctor/replicas.ts'
import { isNight } from '#test/run/night.ts'
import { startLiveApp, type LiveApp } from '#test/app/live-app.ts'
import { often, patience } from '#test/run/patience.ts'
import type { Person } from '#test/people/people.ts'
import { startReplicated, type Replicated, type Server } from '#test/servers/replicated.ts'

/** How often the replica is killed, and how many posts are made on the way to a promotion. */
const [kills, posts] = isNight ? [4, 100] : [1, 20]

const slow = { timeout: 5 * patience }

let primary: Replicated
let replica: Server
let one: LiveApp
let other: LiveApp
let alice: Person
let bob: Person

beforeAll(async () => {
  primary = await startReplicated()
  replica = await primary.replicate()
  const env = {
    DATABASE_URL: primary.url,
    REPLICA_DATABASE_URL: replica.url,
    PROMETHEUS_ENABLED: 'true',
    METRICS_TOKEN: 'numbers-for-staff',
  }
  const options = { databaseUrl: primary.url, listens: true, env }
  one = await startLiveApp(options)
  other = await startLiveApp({ ...options, worker: false })
  ;[alice, bob] = [await one.person('alice'), await one.person('bob')]
  await bob.follow(alice)
  await one.settle()
}, slow.timeout)
afterAll(async () => {
  await Promise.all([one?.close(), other?.close()])
  await primary?.remove()
})

const useOf = (app: LiveApp) => app.ctx.poolUse().replicas[0]!
const becomes = (state: string) => expect.poll(() => useOf(other).state, often).toBe(state)
/** Statements that the replica answered meanwhile. */
async function answered(work: () => Promise<unknown>): Promise<number> {
  const before = useOf(other).answered
  await work()
  return useOf(other).answered - before
}
/** The ids of a list, as the other process has it. */
async function list(person: Person, path: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${person.token}` }
  const response = await other.fetch(`/api/v1/${path}`, { headers })
  expect(response.status).toBe(200)
  return ((await response.json()) as { id: string }[]).map(({ id }) => id)
}
const saidOf = (message: string) =>
  other.logLines.filter((line) => line.message.startsWith(`a read replica is ${message}`)).length

test('lists are read from the replica, and what it cannot answer from the database', async () => {
  const { id } = await alice.say('first #stones')
  await one.settle()
  await becomes('current')
  const latest = async () => expect(await list(bob, 'timelines/public')).toEqual([id])
  await expect.poll(() => answered(latest), often).toBeGreaterThan(0)
  expect(await replica.ask("select 1 from pg_stat_activity where query like '%statuses%'")).not.toEqual([])
  // Feeds have no log, so no replica has them; what is shown of their posts is the replica's.
  const home = async () => expect(await list(bob, 'timelines/home')).toEqual([id])
  await expect.poll(() => answered(home), often).toBeGreaterThan(0)
  for (const path of ['/public', '/tags/stones', '/']) {
    const page = async () => expect(await (await other.fetch(path)).text()).toContain('first')
    expect.soft(await answered(page), path).toBeGreaterThan(0)
  }
})

test('while the replica stands still, all are shown at once what was written through another process [ACC-10]', async () => {
  await becomes('current')
  const shown = await list(bob, 'timelines/public')
  // It may have been behind before, too: as both began.
  const [behind, used] = [saidOf('behind'), saidOf('used')]
  onTestFinished(async () => void (await replica.ask('select pg_wal_replay_resume()')))
  await replica.ask('select pg_wal_replay_pause()')
  const state = 'select pg_get_wal_replay_pause_state() as state'
  await expect.poll(async () => (await replica.ask(state))[0], often).toEqual({ state: 'paused' })
  for (const text of ['one', 'two', 'three']) {
    const { id } = await alice.say(text)
    expect((await list(alice, 'timelines/public'))[0]).toBe(id)
    expect((await list(bob, `accounts/${alice.accountId}/statuses`))[0]).toBe(id)
  }
  await alice.post(`/api/v1/accounts/${bob.accountId}/block`)
  // These two are on no bus: who blocks whom is kept until the database has notified.
  const ofAlice = () => list(bob, `accounts/${alice.accountId}/statuses`)
  await expect.poll(ofAlice, often).toEqual([])
  await alice.post(`/api/v1/accounts/${bob.accountId}/unblock`)
  await expect.poll(ofAlice, often).toHaveLength(shown.length + 3)
  await becomes('behind')
  expect(await checkReplicas(other.ctx.config)).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/behind, by \d+ KB of log$/),
  })
  const metrics = await (
    await other.fetch('/metrics', { headers: { authorization: 'Bearer numbers-for-staff' } })
  ).text()
  expect(metrics).toMatch(/^stonechat_replica_up\{replica="[^"]+"\} 0$/m)
  expect(metrics).toMatch(/^stonechat_replica_lag_bytes\{replica="[^"]+"\} [1-9]/m)
  await expect.poll(() => saidOf('behind'), often).toBe(behind + 1)

  await replica.ask('select pg_wal_replay_resume()')
  await becomes('current')
  await replica.ask('alter system set hot_standby_feedback = on')
  await replica.ask('select pg_reload_conf()')
  await expect.poll(async () => (await checkReplicas(other.ctx.config)).state, often).toBe('ok')
  await expect.poll(() => answered(() => list(bob, 'timelines/public')), often).toBeGreaterThan(0)
  await expect.poll(() => saidOf('used'), often).toBe(used + 1)
})

/** When its process began; null while there is none. */
const startedAt = async (): Promise<string | null> => {
  const found = replica.ask<{ at: string }>('select pg_postmaster_start_time()::text as at')
  return found.then(
    ([row]) => row?.at ?? null,
    () => null,
  )
}

test('a replica that dies is missed by nobody, and is used again when it is back [ROB-2]', slow, async () => {
  const shown = await list(bob, 'timelines/public')
  for (let kill = 0; kill < kills; kill++) {
    await becomes('current')
    let isOver = false
    const readers = Array.from({ length: 4 }, async () => {
      for (let read = 0; !isOver || read < 5; read++)
        expect(await list(bob, 'timelines/public')).toEqual(shown)
    })
    const before = await startedAt()
    await replica.kill()
    await expect.poll(async () => ![null, before].includes(await startedAt()), often).toBe(true)
    await becomes('current')
    isOver = true
    await Promise.all(readers)
  }
  await expect.poll(() => answered(() => list(bob, 'timelines/public')), often).toBeGreaterThan(0)
})

test(
  'the replica becomes the database when that dies, and has all that was answered [ROB-2]',
  slow,
  async () => {
    // Another one, which goes on with the history that ends here.
    const stray = isNight ? await primary.replicate() : null
    const count = stray ? 2 : 1
    await primary.ask(`alter system set synchronous_standby_names = 'ANY ${count} (*)'`)
    await primary.ask('select pg_reload_conf()')
    const sync = "select count(*)::int from pg_stat_replication where sync_state = 'quorum'"
    await expect.poll(() => primary.ask(sync), often).toEqual([{ count }])
    const said: string[] = []
    for (let post = 0; ; post++) {
      // In the middle of it.
      if (post === posts) void primary.crash()
      const { status, body } = await alice.post('/api/v1/statuses', { status: `post ${post}` })
      if (status !== 200) break
      said.push(body.id)
    }
    expect(said.length).toBeGreaterThanOrEqual(posts)
    // As nobody answers for the database, nobody is answered by the replica either.
    expect((await other.fetch('/api/v1/timelines/public')).status).toBe(503)
    await replica.ask('select pg_promote()')

    // As the operator changes DATABASE_URL, and leaves the replica's address as it was.
    const env = {
      DATABASE_URL: replica.url,
      REPLICA_DATABASE_URL: `${replica.url} ${stray?.url ?? ''}`,
    }
    const next = await startLiveApp({ databaseUrl: replica.url, listens: true, env })
    try {
      await next.settle()
      const headers = { authorization: `Bearer ${alice.token}` }
      const found = new Set<string>()
      for (let last = ''; ;) {
        const page = await next.fetch(`/api/v1/timelines/home?limit=40${last && `&max_id=${last}`}`, {
          headers,
        })
        const ids = ((await page.json()) as { id: string }[]).map(({ id }) => id)
        if (ids.length === 0) break
        for (const id of ids) found.add(id)
        last = ids.at(-1) ?? ''
      }
      expect(said.filter((id) => !found.has(id))).toEqual([])
      const states = () => next.ctx.poolUse().replicas.map(({ state }) => state)
      await expect.poll(states, often).toEqual(['promoted', 'other-timeline'].slice(0, count))
      expect(next.ctx.poolUse().replicas.every((use) => use.answered === 0)).toBe(true)
    } finally {
      await next.close()
    }
  },
)
