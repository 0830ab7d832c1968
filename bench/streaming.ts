// Streams of one process: node bench/streaming.ts [N …], of 100, 1000, 5000 and 10000 connections. Memory of a
// connection and of all processes, milliseconds from the sending of a post to its event, and CPU of a delivered event;
// then a public stream of 100 posts a second to 1,000 viewers. Prints a table, then one line of JSON. The clients run in
// this process, on the same machine: what they cost is in the times, but not in CPU and memory.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { timeToId } from '#lib/ids.ts'
import { settled, withClient } from './kit/database.ts'
import { pace, quantile } from './kit/load.ts'
import { cpuOf, memoryOf, pssOf } from './kit/processes.ts'
import { insertPeople, token } from './kit/seed.ts'
import { smallBuffers, withDataDir, withServer, type BenchServer } from './kit/server.ts'

/** Everybody follows person 0, and person 2 is followed by person 1 alone. */
const people = 1_000
const posts = 40
const opening = 100
const listening = 10_000
const publicViewers = 1_000
const publicPerSecond = 100
const publicSeconds = 10

interface Event {
  socket: number
  at: number
  /** The number in the post's text. */
  post: number
}

interface Crowd {
  readonly sockets: WebSocket[]
  /** Events since the last call of `clear`. */
  events: Event[]
  close(): Promise<void>
}

async function seed(url: string): Promise<void> {
  const now = Date.now()
  const accounts = Array.from({ length: people }, (_, i) => timeToId(now - 86_400_000 + i))
  await withClient(url, async (client) => {
    await insertPeople(client, accounts)
    await client.query(
      `insert into follows (id, account_id, target_account_id, created_at)
       select $2::bigint + row_number() over (), id, $1::bigint, now() from unnest($3::bigint[]) id where id <> $1::bigint`,
      [accounts[0], timeToId(now), accounts],
    )
    await client.query(
      'insert into follows (id, account_id, target_account_id, created_at) values ($1, $2, $3, now())',
      [timeToId(now - 1), accounts[1], accounts[2]],
    )
    await client.query('vacuum analyze')
  })
}

async function open(server: BenchServer, count: number, stream: string): Promise<Crowd> {
  const crowd: Crowd = {
    sockets: [],
    events: [],
    async close() {
      await Promise.all(
        crowd.sockets.map(async (socket) => {
          socket.terminate()
          if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close')
        }),
      )
    },
  }
  const openOne = async (index: number) => {
    const query = new URLSearchParams({ stream, access_token: token(index % people) })
    const socket = new WebSocket(`${server.base.replace('http', 'ws')}/api/v1/streaming?${query}`, {
      perMessageDeflate: false,
    })
    await once(socket, 'open')
    socket.on('message', (data: Buffer) => take(crowd, index, data))
    crowd.sockets[index] = socket
  }
  for (let first = 0; first < count; first += opening) {
    const some = Array.from({ length: Math.min(opening, count - first) }, (_, i) => openOne(first + i))
    await Promise.all(some)
  }
  return crowd
}

const mark = Buffer.from('post number ')

function take(crowd: Crowd, socket: number, data: Buffer): void {
  const start = data.indexOf(mark)
  if (start < 0) return
  const post = Number.parseInt(data.toString('latin1', start + mark.length, start + mark.length + 8))
  crowd.events.push({ socket, at: performance.now(), post })
}

const say = (author: number, index: number) => ({
  method: 'POST',
  path: '/api/v1/statuses',
  token: token(author),
  body: { status: `post number ${index} of those that are told on streams` },
})

/** Waits until as many events have come, and fails when they do not. */
async function untilHeard(crowd: Crowd, count: number): Promise<void> {
  for (const end = performance.now() + 60_000; crowd.events.length < count;) {
    if (performance.now() > end) throw new Error(`${crowd.events.length} of ${count} events came`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

interface Posting {
  author: number
  count: number
  perSecond: number
}

/** Answers when each post was begun, by its number. */
async function post(server: BenchServer, { author, count, perSecond }: Posting): Promise<number[]> {
  let sent = 0
  const samples = await pace(server.base, { perSecond, stopped: () => sent >= count }, () =>
    say(author, sent++),
  )
  const failed = samples.filter((sample) => sample.failed).length
  if (failed > 0) throw new Error(`${failed} posts failed`)
  return samples.map((sample) => sample.begun)
}

/** Milliseconds from each post to each of its events, which so many connections hear. */
async function timesOf(
  server: BenchServer,
  crowd: Crowd,
  posting: Posting,
  hearing: number,
): Promise<number[]> {
  crowd.events = []
  const begun = await post(server, posting)
  await untilHeard(crowd, posting.count * hearing)
  return crowd.events.map((event) => event.at - (begun[event.post] as number))
}

/** With posts that everybody hears, which is the most that one can cost, and posts that two people hear. */
async function measureConnections(server: BenchServer, count: number) {
  const pid = server.pids[0] as number
  await settled(server.databaseUrl)
  const before = pssOf([pid])
  const crowd = await open(server, count, 'user')
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const memory = pssOf([pid])
  const perSecond = Math.min(4, listening / count)
  await timesOf(server, crowd, { author: 0, count: 5, perSecond }, count)
  const cpu = cpuOf(server.pids)
  const all = await timesOf(server, crowd, { author: 0, count: posts, perSecond }, count)
  const used = cpuOf(server.pids) - cpu
  const near = crowd.sockets.filter((_, index) => [1, 2].includes(index % people)).length
  const everything = memoryOf(server.pids)
  const few = await timesOf(server, crowd, { author: 2, count: posts, perSecond: 4 }, near)
  await crowd.close()
  return {
    connections: count,
    megabytes: round(memory),
    everythingMegabytes: round(everything),
    kilobytesEach: round(((memory - before) * 1024) / count),
    ...quantiles('few', few),
    ...quantiles('all', all),
    cpuMicrosecondsPerEvent: round((used * 1000) / all.length),
  }
}

async function measurePublic(server: BenchServer) {
  const crowd = await open(server, publicViewers, 'public')
  const count = publicPerSecond * publicSeconds
  const cpu = cpuOf(server.pids)
  const started = performance.now()
  const posting = { author: 0, count, perSecond: publicPerSecond }
  const times = await timesOf(server, crowd, posting, publicViewers)
  const seconds = (performance.now() - started) / 1000
  const used = cpuOf(server.pids) - cpu
  await crowd.close()
  return {
    viewers: publicViewers,
    postsPerSecond: round(count / seconds),
    eventsPerSecond: round(times.length / seconds),
    ...quantiles('all', times),
    cpuMicrosecondsPerEvent: round((used * 1000) / times.length),
  }
}

const quantiles = (who: string, times: readonly number[]) => ({
  [`${who}P50`]: round(quantile(times, 0.5)),
  [`${who}P99`]: round(quantile(times, 0.99)),
})

const round = (value: number) => Math.round(value * 10) / 10

const asked = process.argv.slice(2).map(Number)
const counts = asked.length > 0 ? asked : [100, 1_000, 5_000, 10_000]

await withDataDir((dataDir) =>
  withServer(
    dataDir,
    async (server) => {
      await seed(server.databaseUrl)
      const connections = []
      for (const count of counts) connections.push(await measureConnections(server, count))
      console.table(connections)
      const open = await measurePublic(server)
      console.table([open])
      console.log(JSON.stringify({ connections, public: open }))
    },
    smallBuffers,
  ),
)
