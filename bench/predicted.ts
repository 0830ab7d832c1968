// What the model of bench/simulate.ts says that one process gives, beside what it gives: bin/node bench/predicted.ts. The
// model is fed with what requests took in the same run, with the time in which the kernel had them wait for a processor, so
// that it is judged by its queues, and not by what else the machine does. Wants Linux. Prints Markdown.
import { readFileSync } from 'node:fs'
import { load, type Result } from './kit/load.ts'
import { warmUp } from './kit/measure.ts'
import { processTree } from './kit/processes.ts'
import { generator } from './kit/random.ts'
import { benches, viewers, type Bench } from './kit/scenarios.ts'
import { seed, type Seeded } from './kit/seed.ts'
import { smallBuffers, withDataDir, withServer, type BenchServer } from './kit/server.ts'
import { simulate, type Kind } from './simulation/engine.ts'
import { reading } from './simulation/model.ts'

const names = ['home', 'status', 'notifications20']
const clients = [1, 4, 16]
/** Seconds that one measurement is to take, about. */
const seconds = 2

const parts = ['node', 'postgres', 'asking'] as const
type Part = (typeof parts)[number]

interface Measured {
  perSecond: number
  p50: number
  p99: number
  /** Milliseconds a request on a processor: of Node and who asks the thread that has the event loop. */
  ran: Record<Part, number>
  /** Milliseconds a request of waiting for a processor, likewise. */
  waited: Record<Part, number>
}

/** Milliseconds on a processor, and waiting for one, of the first threads of processes. */
function scheduled(pids: readonly number[]): [ran: number, waited: number] {
  const all = pids.map((pid) => readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number))
  const sum = (index: number) => all.reduce((total, one) => total + (one[index] ?? 0), 0) / 1e6
  return [sum(0), sum(1)]
}

async function measure(server: BenchServer, shots: Shots, concurrency: number): Promise<Measured> {
  const [node = 0, postmaster = 0] = server.pids
  const run = (total: number): Promise<Result> => load(server.base, { total, concurrency }, shots)
  const { perSecond } = await run(viewers * 2)
  const backends = processTree(postmaster)
  const look = () => ({
    node: scheduled([node]),
    postgres: scheduled(backends),
    asking: scheduled([process.pid]),
  })
  const before = look()
  const result = await run(Math.ceil(perSecond * seconds))
  const after = look()
  const each = (index: 0 | 1) =>
    Object.fromEntries(
      parts.map((part) => [part, (after[part][index] - before[part][index]) / result.requests]),
    ) as Record<Part, number>
  return { ...result, ran: each(0), waited: each(1) }
}

type Shots = Parameters<typeof load>[2]

/** Whoever asks is one thread, as Node is; what PostgreSQL's processes wait for each other is in their times. */
function predict(name: string, count: number, { ran, waited }: Measured) {
  const time = (part: Part) => ran[part] + waited[part]
  const half = { station: 'clients', ms: time('asking') / 2 }
  const visits = [half, ...reading({ node: time('node'), postgres: time('postgres') }), half]
  const kind: Kind = { name, visits, spread: 'exponential', clients: count }
  const stations = {
    clients: { servers: 1, queue: 'own' },
    web: { servers: 1, queue: 'own' },
    database: { servers: 16, queue: 'shared' },
  } as const
  return simulate(stations, [kind], { jobs: 50_000 }).kinds[name]
}

async function compare(server: BenchServer, seeded: Seeded, name: string): Promise<void> {
  const bench = benches[name] as Bench
  const random = generator(3)
  const shots: Shots = (index) => bench.shot(seeded, index, random)
  for (const count of clients) {
    const found = await measure(server, shots, count)
    const predicted = predict(name, count, found)
    row([
      name,
      count,
      parts.map((part) => found.ran[part].toFixed(2)).join(' · '),
      parts.map((part) => found.waited[part].toFixed(2)).join(' · '),
      predicted?.perSecond.toFixed(0),
      found.perSecond.toFixed(0),
      `${predicted?.p50.toFixed(1)} · ${predicted?.p99.toFixed(1)}`,
      `${found.p50.toFixed(1)} · ${found.p99.toFixed(1)}`,
    ])
  }
}

const row = (cells: readonly unknown[]) => console.log(`| ${cells.join(' | ')} |`)

await withDataDir((dataDir) =>
  withServer(
    dataDir,
    async (server) => {
      const seeded = await seed(server.databaseUrl)
      await warmUp(server, seeded)
      const titles = [
        'request',
        'clients',
        'Node · PostgreSQL · asking, ms each',
        'waiting for a processor',
        'a second, predicted',
        'measured',
        'p50 · p99, predicted',
        'measured',
      ]
      row(titles)
      row(titles.map(() => '---'))
      for (const name of names) await compare(server, seeded, name)
    },
    smallBuffers,
  ),
)
