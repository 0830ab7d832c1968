// Two web processes, two workers and a streaming one, as `stonechat supervise` runs them: whatever of them is killed,
// nothing is lost that its author was told is there.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Json } from '#test/client/client.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { patience } from '#test/run/patience.ts'
import type { Person } from '#test/people/people.ts'
import {
  byServerSentEvents,
  byWebSocket,
  readAll,
  readHome,
  startListeningApp,
  type ListeningApp,
} from '#test/client/reconnecting.ts'
import { startProcess } from '#test/processes/processes.ts'
import { processesOf } from '#test/processes/run-folder.ts'
import { redisMissing, startRedis, type RedisServer } from '#test/servers/redis-server.ts'
import { runHere } from '#test/processes/run-here.ts'
import { cleanEnv, launcher } from '#test/processes/server-process.ts'
import { startSeveral, type ProcessName, type SeveralProcesses } from '#test/processes/several-processes.ts'
import { isNight } from '#test/run/night.ts'

const patient = { interval: 50 }
/** Between two posts of one author, in milliseconds: what is posted while processes start is work for all of them. */
const pace = 250
/** Posts that have to be accepted before the next thing happens. */
const some = 4

const title = `several processes${redisMissing ? ` (${redisMissing})` : ''}`
describe.skipIf(redisMissing !== null)(title, () => {
  let redis: RedisServer
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let several: SeveralProcesses
  let sql: pg.Client
  let alice: Person, bob: Person, fran: Person, finn: Person
  /** Fran listens by WebSocket, Finn by server-sent events. */
  let apps: [ListeningApp, ListeningApp]
  let publishing: Promise<void>
  let isPublishing = true
  /** Ids by what was asked to be published. */
  const accepted = new Map<string, string>()
  const kills: string[] = []

  beforeAll(async () => {
    redis = await startRedis()
    database = await freshDatabase()
    several = await startSeveral({ databaseUrl: database.url, redisUrl: redis.url })
    sql = new pg.Client({ connectionString: database.url })
    await sql.connect()
    const made = [...(await several.people(0, 'alice', 'fran')), ...(await several.people(1, 'bob', 'finn'))]
    ;[alice, fran, bob, finn] = made as [Person, Person, Person, Person]
    for (const follower of [fran, finn]) {
      for (const author of [alice, bob]) await follower.follow(author)
      await readHome(follower)
    }
    apps = await Promise.all([
      startListeningApp(fran, byWebSocket(several.streamingUrl)),
      startListeningApp(finn, byServerSentEvents(several.streamingUrl)),
    ])
    publishing = Promise.all([publishAll(alice, 0), publishAll(bob, 1)]).then(() => {})
    // Looked at in the end.
    publishing.catch(() => {})
  })
  afterAll(async () => {
    isPublishing = false
    await publishing?.catch(() => {})
    await Promise.allSettled((apps ?? []).map((app) => app.end()))
    await sql?.end()
    await several?.remove()
    await database?.drop()
    await redis?.remove()
  })

  async function publishAll(author: Person, web: 0 | 1): Promise<void> {
    for (let i = 0; isPublishing; i++) {
      const text = `${author.username} ${i} for @fran`
      accepted.set(text, await publish(author, web, text))
      await sleep(pace)
    }
  }

  /** As through a proxy: asks the other web process when one does not answer, until there is an answer. */
  async function publish({ token }: Person, web: 0 | 1, text: string): Promise<string> {
    for (let attempt: number = web; ; attempt++) {
      const answer = await fetch(`${several.urls[attempt % 2]}/api/v1/statuses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': text },
        body: new URLSearchParams({ status: text }),
        signal: AbortSignal.timeout(patience),
      }).catch(() => null)
      const status = answer?.ok ? ((await answer.json().catch(() => null)) as Json) : null
      if (status !== null) return status.id
      if (answer && answer.status < 500) throw new Error(`${answer.status} for ${text}`)
      await sleep(20)
    }
  }

  const untilAccepted = (more = some) => {
    const wanted = accepted.size + more
    return expect.poll(() => accepted.size, patient).toBeGreaterThanOrEqual(wanted)
  }
  const kill = async (name: ProcessName) => {
    kills.push(name)
    await several.kill(name)
  }
  const missing = (...known: ReadonlySet<string>[]) =>
    [...accepted.values()].filter((id) => !known.some((ids) => ids.has(id)))

  /** Events that a worker has begun are another's after two minutes: here so many seconds stand for these. */
  const passTime = (seconds = 5) =>
    sql.query(`update outbox set claimed_until = now()
      where claimed_until < clock_timestamp() + interval '${120 - seconds} seconds'`)

  /** Polls after letting leases run out. */
  const untilNone = (find: () => string[]) => expect.poll(() => passTime().then(find), patient).toEqual([])

  /** Both kinds of streams tell of everything. */
  const streamsTellAll = async () => {
    await untilNone(() => [
      ...missing(apps[0].heard),
      ...missing(apps[1].heard),
      ...missing(apps[0].notified),
    ])
  }

  test('each takes posts, and both kinds of streams of a third tell of them', async () => {
    await untilAccepted(2 * some)
    await streamsTellAll()
    const authors = new Set([...accepted.keys()].map((text) => text.split(' ')[0]))
    expect([...authors].toSorted()).toEqual(['alice', 'bob'])
  })

  test('each names itself in its log, and where it is reached if it is', () => {
    const lines = several.log().filter((line) => line.msg === 'ready')
    const told = lines.map(({ pid, roles, port }) => ({ pid, roles, port }))
    const base = Number(new URL(several.urls[0]).port)
    const names = ['web 1', 'web 2', 'streaming 1', 'worker 1', 'worker 2'] as const
    const ports = [base, base + 1, base + 2]
    const wanted = names.map((name, i) => {
      return { pid: several.pidOf(name), roles: name.split(' ')[0], port: ports[i] }
    })
    expect(told).toEqual(expect.arrayContaining(wanted))
    expect(told).toHaveLength(wanted.length)
    for (const line of lines.filter(({ roles }) => roles === 'worker')) {
      expect(line).not.toHaveProperty('address')
      expect(line).not.toHaveProperty('bind')
    }
    for (const name of ['web 1', 'web 2'] as const) {
      const asked = several.log().filter((line) => line.msg === 'request' && line.pid === several.pidOf(name))
      expect(asked.length).toBeGreaterThan(0)
      expect(new Set(asked.map(({ roles }) => roles))).toEqual(new Set(['web']))
    }
  })

  test('clients are told where the streams are', async () => {
    for (const url of several.urls) {
      const instance = (await (await fetch(`${url}/api/v2/instance`)).json()) as Json
      expect(instance.configuration.urls.streaming).toBe(several.streamingUrl.replace('http', 'ws'))
      const answer = await fetch(`${url}/api/v1/streaming/user?x=1`, { redirect: 'manual' })
      expect(answer.status).toBe(301)
      expect(answer.headers.get('location')).toBe(`${several.streamingUrl}/api/v1/streaming/user?x=1`)
    }
    const health = await fetch(`${several.streamingUrl}/api/v1/streaming/health`)
    expect([health.status, await health.text()]).toEqual([200, 'OK'])
  })

  // At night each of them: starting processes is what takes longest, and both workers are killed below.
  const killed: ProcessName[] = ['web 1']
  if (isNight) killed.push('web 2', 'worker 1', 'worker 2')

  test.for<ProcessName>(killed)(
    '%s killed: the streams, still the same, tell of everything',
    async (name) => {
      await untilAccepted()
      await kill(name)
      await untilAccepted()
      await several.ready()
      await untilAccepted()
      await streamsTellAll()
      expect(apps.map((app) => app.connections())).toEqual([1, 1])
    },
  )

  test('both workers killed with events in hand: these are taken up again', async () => {
    await sql.query('begin')
    // Readers go on, and so do posts. Whoever wants to write a notification waits.
    await sql.query('lock table notifications in share mode')
    const inHand = () => sql.query('select id from outbox where claimed_until is not null')
    await expect.poll(async () => (await inHand()).rows.length, patient).toBeGreaterThan(1)
    await Promise.all([kill('worker 1'), kill('worker 2')])
    // Statements of the dead are still there and would be done. As if their machine had gone:
    await sql.query(`select pg_terminate_backend(pid) from pg_locks
      where relation = 'notifications'::regclass and not granted`)
    await passTime(0)
    await sql.query('commit')
    await several.ready()
    await untilAccepted()
    await streamsTellAll()
    expect(apps.map((app) => app.connections())).toEqual([1, 1])
  })

  test('Redis killed: posts are taken meanwhile, and then the same streams tell of new ones again', async () => {
    await redis.kill()
    await untilAccepted()
    await redis.start()
    const before = accepted.size
    const isHeardAgain = ({ heard }: ListeningApp) =>
      [...accepted.values()].slice(before).some((id) => heard.has(id))
    await expect.poll(() => apps.map(isHeardAgain), patient).toEqual([true, true])
    expect(apps.map((app) => app.connections())).toEqual([1, 1])
    for (const follower of [fran, finn]) {
      const known = [...accepted.values()]
      await expect
        .poll(async () => {
          const home = await passTime().then(() => readHome(follower))
          return known.filter((id) => !home.includes(id))
        }, patient)
        .toEqual([])
    }
  })

  test('the streaming process killed: apps connect again, and know of everything by their stream and the timeline', async () => {
    await untilAccepted()
    await kill('streaming 1')
    await untilAccepted()
    await several.ready()
    await expect.poll(() => apps.map((app) => app.connections()), patient).toEqual([2, 2])
    await untilAccepted()
    const newest = [...accepted.values()].at(-1)!
    await expect.poll(() => apps.map(({ heard }) => heard.has(newest)), patient).toEqual([true, true])
    for (const app of apps) await untilNone(() => missing(app.heard, app.caughtUp))
  })

  test('in the end everything is everywhere once', async () => {
    isPublishing = false
    await publishing
    const all = [...accepted.values()].toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
    const left = () => sql.query('select id from outbox').then(({ rows }) => rows.map((row) => row.id))
    await expect.poll(() => passTime().then(left), patient).toEqual([])
    for (const follower of [fran, finn]) expect(await readHome(follower)).toEqual(all)
    const mentions = await readAll(fran, '/api/v1/notifications?types[]=mention&limit=40')
    expect(mentions.map((notification) => notification.status.id).toSorted()).toEqual(all.toSorted())
    for (const author of [alice, bob]) {
      const own = await readAll(author, `/api/v1/accounts/${author.accountId}/statuses?limit=40`)
      const texts = [...accepted].filter(([text]) => text.startsWith(author.username))
      expect(own.map((status) => status.id)).toEqual(texts.map(([, id]) => id).toReversed())
      expect(own[0].account.statuses_count).toBe(own.length)
    }
  })

  test('each that was killed was started again, no other ended, and a signal ends all in good order', async () => {
    const names: ProcessName[] = ['web 1', 'web 2', 'worker 1', 'worker 2', 'streaming 1']
    const pids = names.map((name) => several.pidOf(name))
    expect(await several.stop()).toBe(0)
    const ended = several
      .output()
      .split('\n')
      .filter((line) => line.includes('"ended by itself'))
    expect(ended.map((line) => (JSON.parse(line) as Json).process).toSorted()).toEqual(kills.toSorted())
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

describe('stonechat supervise', () => {
  async function supervise(args: string[]) {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'stonechat-supervise-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    return runHere(['supervise', ...args], { DATA_DIR: dataDir })
  }

  test('starts nothing without an outside database and Redis', async () => {
    const ended = await supervise([])
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^DATABASE_URL is not set; .*outside PostgreSQL/),
      expect.stringMatching(/^REDIS_URL is not set; .*need Redis/),
    ])
  })

  test.each([
    [['--web', 'many'], '--web is "many"; allowed is a number up to 64'],
    [['--worker=-1'], '--worker is "-1"; allowed is a number up to 64'],
    [['--web', '0', '--worker', '0', '--streaming', '0'], 'There is nothing to run'],
    [['--streaming-port', '3001'], 'Port 3001 would be taken twice'],
    [['--streaming-port', '65535', '--streaming', '2'], 'There is no port 65536'],
    [['--streaming-port', '0'], 'There is no port 0'],
    [['again'], '"again" is no word of this command'],
    [['restart'], 'No `stonechat supervise` runs with DATA_DIR'],
  ])('%j is refused in one line', async (args, line) => {
    const ended = await supervise(args)
    expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(line) })
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  })

  test.runIf(isNight)(
    'a process that does not get going is started again and again, later each time, until a signal comes',
    async () => {
      const env = cleanEnv({
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
        REDIS_URL: 'redis://127.0.0.1:1',
        DATA_DIR: path.join(tmpdir(), 'stonechat-supervise-none'),
      })
      const args = ['supervise', '--web', '0', '--worker', '1', '--streaming', '0']
      const child = startProcess(launcher, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const ended = once(child, 'exit')
      onTestFinished(() => void child.kill('SIGTERM'))
      const pauses: number[] = []
      for await (const line of createInterface(child.stdout)) {
        // Others are for people.
        if (!line.startsWith('{')) continue
        const { process: name, reason, pause } = JSON.parse(line) as Json
        if (pause === undefined) continue
        expect([name, reason]).toEqual(['worker 1', 'exit code 1'])
        if (pauses.push(pause) === 2) child.kill('SIGTERM')
      }
      expect(await ended).toEqual([0, null])
      expect(pauses).toEqual([500, 1_000])
    },
  )

  test.runIf(isNight).each(['SIGINT', 'SIGTERM'] as const)(
    '%s while all of them start ends all',
    async (signal) => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'stonechat-supervise-'))
      onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
      // Nothing answers there, so that they start for as long as it takes.
      const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
      onTestFinished(() => void silent.close())
      await once(silent, 'listening')
      const { port } = silent.address() as { port: number }
      const url = `postgres://nobody@127.0.0.1:${port}/none`
      const env = cleanEnv({ DATA_DIR: dataDir, DATABASE_URL: url, REDIS_URL: 'redis://127.0.0.1:1' })
      const args = ['supervise', '--web', '0', '--worker', '2', '--streaming', '0']
      const child = startProcess(launcher, args, { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
      const pid = child.pid as number
      const ended = once(child, 'exit')
      let started = 0
      for await (const line of createInterface(child.stdout)) {
        // Ctrl-C is for all of the terminal's processes, what a service manager sends for the first.
        if (line.startsWith('Starting') && ++started === 2)
          process.kill(signal === 'SIGINT' ? -pid : pid, signal)
      }
      expect(await ended).toEqual([0, null])
      expect(processesOf(dataDir)).toEqual([])
    },
  )
})
