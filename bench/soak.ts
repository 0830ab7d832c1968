// A week compressed: bin/node bench/soak.ts [MINUTES], ten by default. Two servers that federate, people who post, read,
// favourite and listen, while each part is restarted or killed: the servers, and their databases. In the end every post
// that was accepted is on both, nothing waits, and memory does not grow any more. Exit code 1 when one of these is not so.
import { spawn, type ChildProcess, execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import { connectEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { freePort } from '#test/processes/free-port.ts'
import { withWatchedFolder } from '#test/processes/watched-folder.ts'
import { withClient } from './kit/database.ts'
import { ownMemoryOf } from './kit/processes.ts'

const launcher = path.resolve(import.meta.dirname, '../bin/stonechat')
const run = promisify(execFile)
/** Share of the time in which parts are restarted; in the rest memory is watched, once caches have filled. */
const restless = 0.4
const filling = 0.2
/** How much larger a process may be in the last third of the time in which it is watched than in the first. */
const growth = 1.05
/** Megabytes that it may grow besides: some thousand posts more are kept rendered (caches are bounded, and fill for hours). */
const cached = 8
/** Between two looks at its memory, in milliseconds. */
const look = 2_000
const patience = 180_000

interface Server {
  readonly base: string
  readonly dataDir: string
  pid(): number
  databasePid(): Promise<number>
  start(): Promise<void>
  end(signal: NodeJS.Signals): Promise<void>
  command(...words: string[]): Promise<string>
}

interface Person {
  readonly server: Server
  readonly name: string
  readonly token: string
}

async function createSoakServer(folder: string, name: string): Promise<Server> {
  const port = await freePort()
  const dataDir = path.join(folder, name)
  const env = {
    ...process.env,
    DATABASE_URL: '',
    DATA_DIR: dataDir,
    PORT: String(port),
    LOCAL_DOMAIN: `127.0.0.1:${port}`,
    LOCAL_HTTPS: 'false',
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  }
  let child: ChildProcess | null = null
  const base = `http://127.0.0.1:${port}`
  return {
    base,
    dataDir,
    pid: () => child?.pid ?? 0,
    databasePid: async () =>
      Number((await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]),
    async start() {
      child = spawn(launcher, ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
      for (const end = Date.now() + patience; Date.now() < end; await sleep(50))
        if (
          await fetch(`${base}/health`).then(
            ({ ok }) => ok,
            () => false,
          )
        )
          return
      throw new Error(`${name} does not get to serve`)
    },
    async end(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child.kill(signal)
      await ended
    },
    command: async (...words) => (await run(launcher, words, { env })).stdout,
  }
}

async function createPerson(server: Server, name: string): Promise<Person> {
  await server.command('accounts', 'create', name, '--email', `${name}@example.org`, '--confirmed')
  return { server, name, token: (await server.command('tokens', 'create', name)).trim() }
}

/** Null while the server is away, and for every other answer than 200. */
async function ask<T>(
  { server, token }: Person,
  target: string,
  form?: Record<string, string>,
): Promise<T | null> {
  const { key, ...fields } = form ?? {}
  const answer = await fetch(`${server.base}${target}`, {
    method: form ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) },
    ...(form && { body: new URLSearchParams(fields) }),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => null)
  return answer?.ok ? ((await answer.json().catch(() => null)) as T | null) : null
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(500))
    if (await check().catch(() => false)) return
  throw new Error(`After ${patience / 1000} s it is still not so: ${what}`)
}

interface Status {
  id: string
  uri: string
}

async function follow(follower: Person, followed: Person): Promise<void> {
  const handle = `@${followed.name}@${new URL(followed.server.base).host}`
  let id = ''
  await until(`${follower.name} finds ${handle}`, async () => {
    const search = `/api/v2/search?type=accounts&resolve=true&q=${encodeURIComponent(handle)}`
    id = (await ask<{ accounts: { id: string }[] }>(follower, search))?.accounts[0]?.id ?? ''
    return id !== ''
  })
  await ask(follower, `/api/v1/accounts/${id}/follow`, {})
  await until(`${follower.name} follows ${handle}`, async () => {
    const found = await ask<{ following: boolean }[]>(follower, `/api/v1/accounts/relationships?id[]=${id}`)
    return found?.[0]?.following === true
  })
}

/** Posts without a pause longer than `pace` until told to stop; each is asked for until it is accepted. */
async function publish(author: Person, accepted: Set<string>, isOver: () => boolean): Promise<void> {
  for (let number = 1; !isOver(); number++) {
    const key = `${author.name}-${number}`
    for (;;) {
      const status = await ask<Status>(author, '/api/v1/statuses', { status: `Number ${number} #soak`, key })
      if (status) {
        accepted.add(status.uri)
        break
      }
      await sleep(200)
    }
    await sleep(150)
  }
}

/** Reads what apps read, and favourites the newest. Returns how often it was answered. */
async function read(reader: Person, isOver: () => boolean): Promise<number> {
  let answered = 0
  while (!isOver()) {
    const home = await ask<Status[]>(reader, '/api/v1/timelines/home')
    if (home?.[0]) await ask(reader, `/api/v1/statuses/${home[0].id}/favourite`, {})
    for (const target of ['/api/v1/notifications', '/api/v1/timelines/public', '/api/v2/instance'])
      if (await ask(reader, target)) answered++
    await sleep(100)
  }
  return answered
}

/** Listens, and connects again as apps do. Returns how many events came. */
async function listen({ server, token }: Person, isOver: () => boolean): Promise<number> {
  let events = 0
  while (!isOver()) {
    const socket = new WebSocket(
      `${server.base.replace('http', 'ws')}/api/v1/streaming?stream=user&access_token=${token}`,
    )
    socket.on('message', () => void events++)
    const closed = new Promise<void>((resolve) =>
      socket.on('close', () => resolve()).on('error', () => resolve()),
    )
    while (!isOver() && socket.readyState <= WebSocket.OPEN) await Promise.race([closed, sleep(500)])
    socket.terminate()
    await sleep(200)
  }
  return events
}

async function startAgain(server: Server, signal: NodeJS.Signals): Promise<void> {
  await server.end(signal)
  await server.start()
}

const restarts: readonly { name: string; of: (server: Server) => Promise<void> }[] = [
  { name: 'a restart', of: (server) => startAgain(server, 'SIGTERM') },
  { name: 'a kill', of: (server) => startAgain(server, 'SIGKILL') },
  {
    name: 'a kill of the database',
    of: async (server) => void process.kill(await server.databasePid(), 'SIGKILL'),
  },
]

async function disturb(servers: readonly Server[], end: number): Promise<string[]> {
  const done: string[] = []
  const pause = Math.max(5_000, (end - Date.now()) / (2 * restarts.length * servers.length))
  for (let index = 0; Date.now() < end; index++) {
    await sleep(Math.min(pause, Math.max(0, end - Date.now())))
    const restart = restarts[Math.floor(index / servers.length) % restarts.length]
    const server = servers[index % servers.length]
    if (!restart || !server || Date.now() >= end) break
    await restart.of(server)
    done.push(`${restart.name} of ${server.base}`)
  }
  return done
}

/** The memory of a server's process until the end, in megabytes: the median of each third of the time. */
async function watchMemory(server: Server, isOver: () => boolean): Promise<[number, number, number]> {
  const sizes: number[] = []
  for (; !isOver(); await sleep(look)) sizes.push(ownMemoryOf([server.pid()]))
  const median = (third: number) => {
    const part = sizes.slice((third * sizes.length) / 3, ((third + 1) * sizes.length) / 3)
    return Math.round(part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0)
  }
  return [median(0), median(1), median(2)]
}

/** What waits in a server, as one number; what is to be done later by the timetable does not count. */
async function waiting({ dataDir }: Server): Promise<number> {
  const url = await connectEmbeddedPostgres({ dataDir })
  if (!url) return Number.NaN
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `select (select count(*) from outbox) + (select count(*) from deliveries)
         + (select count(*) from graphile_worker._private_jobs where run_at <= now()) as count`,
    )
    return Number(rows[0]?.count)
  })
}

/** Addresses of all posts of somebody that are on the server of who reads them. Home has the newest 800 alone. */
async function readPosts(reader: Person, author: Person): Promise<Set<string>> {
  const acct = `${author.name}@${new URL(author.server.base).host}`
  const account = await ask<{ id: string }>(reader, `/api/v1/accounts/lookup?acct=${acct}`)
  const found = new Set<string>()
  for (let older = ''; ;) {
    const page = await ask<Status[]>(reader, `/api/v1/accounts/${account?.id}/statuses?limit=40${older}`)
    if (!page || page.length === 0) return found
    for (const { uri } of page) found.add(uri)
    older = `&max_id=${page.at(-1)?.id}`
  }
}

async function soak(folder: string, minutes: number): Promise<object> {
  const servers = await Promise.all(['one', 'two'].map((name) => createSoakServer(folder, name)))
  try {
    await Promise.all(servers.map((server) => server.start()))
    const [one, two] = servers as [Server, Server]
    const [alice, bob] = await Promise.all([createPerson(one, 'alice'), createPerson(two, 'bob')])
    await follow(bob, alice)
    await follow(alice, bob)
    const accepted = new Map([alice, bob].map((person) => [person, new Set<string>()]))
    const begun = Date.now()
    const end = begun + minutes * 60_000
    const isOver = () => Date.now() >= end
    const work = Promise.all([
      ...[alice, bob].map((person) => publish(person, accepted.get(person) as Set<string>, isOver)),
      ...[alice, bob].map((person) => read(person, isOver)),
      ...[alice, bob].map((person) => listen(person, isOver)),
    ])
    const disturbed = await disturb(servers, begun + restless * minutes * 60_000)
    await sleep(Math.max(0, begun + (restless + filling) * minutes * 60_000 - Date.now()))
    const memory = await Promise.all(servers.map((server) => watchMemory(server, isOver)))
    const [, , readOne, readTwo, heardOne, heardTwo] = (await work) as number[]

    for (const server of servers)
      await until(`nothing waits in ${server.base}`, async () => (await waiting(server)) === 0)
    const missing: string[] = []
    for (const [author, reader] of [
      [alice, bob],
      [bob, alice],
    ] as const) {
      const seen = await readPosts(reader, author)
      missing.push(...[...(accepted.get(author) ?? [])].filter((uri) => !seen.has(uri)))
    }
    const grown = memory.filter(([first, , last]) => last > first * growth + cached)
    const posts = [...accepted.values()].reduce((sum, { size }) => sum + size, 0)
    const result = {
      minutes,
      posts,
      reads: (readOne ?? 0) + (readTwo ?? 0),
      events: (heardOne ?? 0) + (heardTwo ?? 0),
      disturbed,
      megabytes: memory,
      missing,
    }
    if (missing.length > 0 || grown.length > 0) process.exitCode = 1
    return result
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGTERM')))
  }
}

const minutes = Number(process.argv[2] ?? 10)
if (!(minutes > 0)) throw new Error('Usage: bench/soak.ts [MINUTES]')
const result = await withWatchedFolder('stonechat-soak-', (folder) => soak(folder, minutes))
console.log(JSON.stringify(result, null, 1))
