// Whether a server that is half busy stays as it is: bin/node bench/steady.ts [MINUTES] [--core N], sixty minutes unless
// told. People read, post and favourite at half the pace that the server holds for a moment, and go on whether it answers
// or not. With --core the server and its database have that core before all others, so that little of what else the machine
// does is in the times (wants Linux and root). Prints a table of six parts of the time, then one line of JSON. Exit code 1
// where memory or the slowest hundredth grew, a request failed, or this process could not keep the pace.
import { parseArgs } from 'node:util'
import { settled } from './kit/database.ts'
import { keepPace, load, quantile, type Sample, type Shot } from './kit/load.ts'
import { warmUp } from './kit/measure.ts'
import { ownMemoryOf, processTree } from './kit/processes.ts'
import { generator } from './kit/random.ts'
import { benches, type Bench } from './kit/scenarios.ts'
import { seed, type Seeded } from './kit/seed.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'

const { values, positionals } = parseArgs({ options: { core: { type: 'string' } }, allowPositionals: true })
const minutes = Number(positionals[0] ?? 60)
const parts = 6
/** Caches fill during the first parts: what grows is told from the others. */
const filling = 2
/** How much more memory the last part may have than the first one that counts, and how much slower it may be. */
const growth = { memory: 1.05, p99: 1.5 }
/** Milliseconds by which half of the requests of a part may begin late: beyond it, what was measured is this process. */
const maxLate = 50
/** Milliseconds between two looks at its memory, each of which holds it up. */
const look = 30_000

interface Part {
  minutes: string
  requests: number
  failed: number
  p50: number
  p99: number
  /** Milliseconds at the median before this process came to send them. */
  late: number
  /** Megabytes that processes have made themselves, at the median. */
  memory: number
  node: number
}

interface Look {
  at: number
  all: number
  node: number
}

function shots(seeded: Seeded): (index: number) => Shot {
  const random = generator(11)
  const mix = benches['mix'] as Bench
  return (index) => mix.shot(seeded, index, random)
}

/** Requests a second that the server answers when it is asked for as many as it can. */
async function capacityOf(server: BenchServer, shotOf: (index: number) => Shot): Promise<number> {
  const { perSecond } = await load(server.base, { total: 6000, concurrency: 16 }, shotOf)
  await settled(server.databaseUrl)
  return perSecond
}

function watch([node = 0, postmaster = 0]: readonly number[]): { looks: Look[]; stop(): void } {
  const looks: Look[] = []
  const timer = setInterval(() => {
    const database = processTree(postmaster)
    // An embedded PostgreSQL is below the server.
    const all = new Set([...processTree(node), ...database])
    const [taken, ofDatabase] = [ownMemoryOf(all), ownMemoryOf(database)]
    looks.push({ at: performance.now(), all: taken, node: taken - ofDatabase })
  }, look)
  return { looks, stop: () => clearInterval(timer) }
}

/** Times, in milliseconds, and failures of each part. Numbers alone, so that collecting garbage does not look through them. */
interface Heard {
  times: number[]
  late: number[]
  failed: number
}

const partAt = (at: number, started: number) => Math.floor(((at - started) * parts) / (minutes * 60_000))

function divide(heard: readonly Heard[], looks: readonly Look[], started: number): Part[] {
  return heard.map(({ times, late, failed }, index) => {
    const seen = looks.filter(({ at }) => partAt(at, started) === index)
    const median = (of: 'all' | 'node') =>
      Math.round(
        quantile(
          seen.map((one) => one[of]),
          0.5,
        ),
      )
    return {
      minutes: `${Math.round((index * minutes) / parts)}–${Math.round(((index + 1) * minutes) / parts)}`,
      requests: times.length,
      failed,
      p50: Number(quantile(times, 0.5).toFixed(1)),
      p99: Number(quantile(times, 0.99).toFixed(1)),
      late: Number(quantile(late, 0.5).toFixed(1)),
      memory: median('all'),
      node: median('node'),
    }
  })
}

async function run(server: BenchServer): Promise<void> {
  const seeded = await seed(server.databaseUrl)
  await warmUp(server, seeded)
  const shotOf = shots(seeded)
  const capacity = await capacityOf(server, shotOf)
  const started = performance.now()
  const { looks, stop } = watch(server.pids)
  const stopped = () => performance.now() - started > minutes * 60_000
  const heard = Array.from({ length: parts }, (): Heard => ({ times: [], late: [], failed: 0 }))
  const hears = ({ begun, took, late, failed }: Sample) => {
    const part = heard[Math.min(parts - 1, partAt(begun, started))] as Heard
    part.times.push(took)
    part.late.push(late)
    if (failed) part.failed++
  }
  await keepPace(server.base, { perSecond: capacity / 2, stopped }, shotOf, hears).finally(stop)
  const found = divide(heard, looks, started)
  console.table(found)
  console.log(JSON.stringify({ steady: { minutes, perSecond: Math.round(capacity / 2), parts: found } }))
  if (found.some(({ late }) => late > maxLate)) {
    console.error('The load could not be kept up from here: run this with nothing beside it.')
    process.exitCode = 1
  }
  const [first, last] = [found[filling] as Part, found[parts - 1] as Part]
  const isSteady =
    last.memory <= first.memory * growth.memory &&
    last.p99 <= first.p99 * growth.p99 &&
    found.every(({ failed }) => failed === 0)
  if (!isSteady) process.exitCode = 1
}

const through = values.core === undefined ? [] : ['nice', '-n', '-10', 'taskset', '-c', values.core]
await withDataDir((dataDir) => withServer(dataDir, run, {}, { through }))
