// What it costs that a post reaches many, and that somebody comes back after long: node bench/reach.ts. Prints tables,
// then one line of JSON.
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { settled, withClient } from './kit/database.ts'
import { load, quantile, shoot, type Shot } from './kit/load.ts'
import { readDuring, waitsOf } from './kit/meanwhile.ts'
import { cpuOf } from './kit/processes.ts'
import { followers, seedCrowd, type Crowd } from './kit/seed-crowd.ts'
import { listOwners } from './kit/seed-reach.ts'
import { seed, type Seeded } from './kit/seed.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'

const rounds = 10
const readsPerSecond = 40
const quietMs = 15_000

type Everything = Seeded & Crowd

interface Bench {
  server: BenchServer
  seeded: Everything
  client: pg.Client
  agent: http.Agent
}

async function send({ server, agent }: Bench, shot: Shot): Promise<{ id: string }> {
  const answer = await shoot(server.base, agent, shot)
  if (answer.status >= 400) throw new Error(`${shot.path} answered ${answer.status}`)
  return JSON.parse(answer.text) as { id: string }
}

/** Home timelines and statuses, turn by turn. */
const readOf =
  ({ seeded }: Bench) =>
  (index: number): Shot =>
    index % 2 === 0
      ? {
          path: '/api/v1/timelines/home?limit=20',
          token: seeded.token(listOwners.first + ((index / 2) % listOwners.count)),
        }
      : { path: `/api/v1/statuses/${seeded.publicIds[index % 1000]}` }

/** The first read of those whose feed was forgotten while they were away. */
async function measureRebuild(bench: Bench): Promise<Record<string, number>> {
  const { server, seeded, client } = bench
  const times: number[] = []
  let cpu = 0
  for (const index of seeded.returning) {
    await client.query('delete from home_feeds where account_id = $1', [seeded.accountOf(index)])
    await settled(server.databaseUrl)
    const [before, begun] = [cpuOf(server.pids), performance.now()]
    await send(bench, { path: '/api/v1/timelines/home?limit=20', token: seeded.token(index) })
    times.push(performance.now() - begun)
    cpu += cpuOf(server.pids) - before
  }
  const rows = await entriesOf(client, 'account_id', seeded.accountOf(seeded.returning[0] as number))
  return { cpu: cpu / times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99), entries: rows }
}

async function entriesOf(client: pg.Client, column: 'account_id' | 'status_id', id: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from home_entries where ${column} = $1`,
    [id],
  )
  return rows[0]?.n ?? 0
}

type Kind = 'post' | 'boost'

function spread(bench: Bench, kind: Kind, round: number): Promise<{ id: string }> {
  const { seeded } = bench
  return send(bench, {
    method: 'POST',
    path: kind === 'post' ? '/api/v1/statuses' : `/api/v1/statuses/${seeded.publicIds[round]}/reblog`,
    token: seeded.token(seeded.star),
    ...(kind === 'post' && { body: { status: `To all of you, number ${round} of ${Date.now()}` } }),
  })
}

/** Posts one after the other with nothing else to do: what an entry costs. */
async function measureFanOut(bench: Bench, kind: Kind): Promise<Record<string, number>> {
  const { server, client } = bench
  const before = cpuOf(server.pids)
  const databaseBefore = cpuOf(server.pids.slice(1))
  const times: number[] = []
  const ids: string[] = []
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    ids.push((await spread(bench, kind, round)).id)
    await settled(server.databaseUrl)
    times.push(performance.now() - begun)
  }
  const seconds = (cpuOf(server.pids) - before) / 1000
  const databaseSeconds = (cpuOf(server.pids.slice(1)) - databaseBefore) / 1000
  let entries = 0
  for (const id of ids) entries += await entriesOf(client, 'status_id', id)
  return {
    entries: entries / rounds,
    cpu: (seconds * 1000) / rounds,
    databaseCpu: (databaseSeconds * 1000) / rounds,
    perCpuSecond: entries / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  }
}

/** Reads at a steady pace, without anything else and then while posts are on their way into the feeds. */
async function measureReads(bench: Bench, kind: Kind) {
  const { base, databaseUrl } = bench.server
  const readers = { perSecond: readsPerSecond, shotOf: readOf(bench) }
  const alone = await readDuring(base, readers, () => sleep(quietMs))
  const quiet = waitsOf(alone.samples)
  const { samples, result: spans } = await readDuring(base, readers, async () => {
    const done: [number, number][] = []
    for (let round = rounds; round < 4 * rounds; round++) {
      const begun = performance.now()
      await spread(bench, kind, round)
      await settled(databaseUrl)
      done.push([begun, performance.now()])
      await sleep(100)
    }
    return done
  })
  const meanwhile = waitsOf(
    samples.filter(({ begun, took }) => spans.some(([from, to]) => begun < to && begun + took > from)),
  )
  return { quiet, meanwhile, ratio: meanwhile.p99 / quiet.p99 }
}

async function run(server: BenchServer, seeded: Everything, client: pg.Client): Promise<void> {
  const agent = new http.Agent({ keepAlive: true })
  const bench: Bench = { server, seeded, client, agent }
  await load(server.base, { total: 2000, concurrency: 8 }, readOf(bench))
  for (const kind of ['post', 'boost'] as const) await spread(bench, kind, 999)
  await settled(server.databaseUrl)

  const rebuild = await measureRebuild(bench)
  console.log(
    `rebuild of ${seeded.returning.length} feeds of ${rebuild['entries']} entries, each of one who follows 1,000: ` +
      `${rebuild['cpu']?.toFixed(0)} CPU ms (aim 400), p50 ${rebuild['p50']?.toFixed(0)} ms, p99 ${rebuild['p99']?.toFixed(0)} ms`,
  )
  const all: Record<string, unknown> = { rebuild }
  console.log('\nfan-out   entries   CPU ms  of it PG  entries per CPU s   p50 ms   p99 ms')
  for (const kind of ['post', 'boost'] as const) {
    const cost = await measureFanOut(bench, kind)
    all[kind] = cost
    const cell = (name: string, width: number) => (cost[name] ?? 0).toFixed(0).padStart(width)
    const cells = [cell('entries', 9), cell('cpu', 8), cell('databaseCpu', 9), cell('perCpuSecond', 18)]
    console.log(kind.padEnd(7), ...cells, cell('p50', 8), cell('p99', 8))
  }
  console.log(`\nreads at ${readsPerSecond} a second: alone, and while a status goes to ${followers} feeds`)
  console.log('          p50 ms   p99 ms   p50 ms   p99 ms   ratio of p99 (aim 3)  errors')
  for (const kind of ['post', 'boost'] as const) {
    const { quiet, meanwhile, ratio } = await measureReads(bench, kind)
    all[`reads during ${kind}`] = { quiet, meanwhile, ratio }
    const cells = [quiet.p50, quiet.p99, meanwhile.p50, meanwhile.p99].map((ms) => ms.toFixed(1).padStart(8))
    console.log(kind.padEnd(7), ...cells, ratio.toFixed(1).padStart(21), quiet.errors + meanwhile.errors)
  }
  console.log(JSON.stringify(all))
  agent.destroy()
}

await withDataDir(async (dataDir) => {
  const seeded = await withServer(dataDir, async (server) => {
    const first = await seed(server.databaseUrl)
    return { ...first, ...(await seedCrowd(server.databaseUrl, first)) }
  })
  await withServer(dataDir, (server) =>
    withClient(server.databaseUrl, (client) => run(server, seeded, client)),
  )
})
