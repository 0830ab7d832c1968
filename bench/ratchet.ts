// Keeps what requests cost from growing, in a nightly run: node bench/ratchet.ts [--write] [NAME …].
//
// Costs are processor time, database and all that follows included, as a multiple of what a bare Hono server needs for
// the same bytes on the same machine in the same run; medians of rounds. What costs more than 15 % above
// bench/ratchet.json fails; with --write what costs less is written down there.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { quantile } from './kit/load.ts'
import { measure, measureFloor, warmUp } from './kit/measure.ts'
import { measureAtRest, memoryOf } from './kit/processes.ts'
import { benches, type Bench } from './kit/scenarios.ts'
import { seed, type Seeded } from './kit/seed.ts'
import { smallBuffers, withDataDir, withServer, type BenchServer } from './kit/server.ts'

interface Mark {
  /** What is wanted. */
  aim: number
  /** What it cost when it was written down. */
  now: number | null
}

type Marks = Record<string, Mark>

const file = path.join(import.meta.dirname, 'ratchet.json')
const tolerance = 1.15
const rounds = 3
/** Requests in a round: writes, and reads at least and at most. */
const perRound = { writes: 300, least: 600, most: 20_000 }
/** Seconds that reads of one round take, about: what is cheap is asked for until it is compiled as it is in a server. */
const readsFor = 1.5
const median = (values: readonly number[]) => quantile(values, 0.5)

/** One kind of request in one round, as a multiple of the bare server. */
async function ratioOf(server: BenchServer, seeded: Seeded, name: string, round: number): Promise<number> {
  const bench = benches[name] as Bench
  const writes = bench.shot(seeded, 0, () => 0.5).method !== undefined || name === 'mix'
  const count = writes ? perRound.writes : await countOf(server, seeded, bench)
  const { cpu, bytes, errors } = await measure(server, seeded, { bench, count, from: round * count })
  if (errors > 0) throw new Error(`${name}: ${errors} of ${count} requests failed`)
  return cpu / (await measureFloor(bytes))
}

/** How many reads of this kind a round has. */
async function countOf(server: BenchServer, seeded: Seeded, bench: Bench): Promise<number> {
  const { perSecond } = await measure(server, seeded, { bench, count: 200 })
  return Math.round(Math.min(perRound.most, Math.max(perRound.least, perSecond * readsFor)))
}

async function measureAll(server: BenchServer, seeded: Seeded, names: readonly string[]) {
  const found: Record<string, number> = { 'memory at rest': (await measureAtRest(server.pids)).total }
  await warmUp(server, seeded)
  const ratios = new Map<string, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, list] of ratios) list.push(await ratioOf(server, seeded, name, round))
  }
  for (const [name, list] of ratios) found[name] = median(list)
  found['memory after load'] = memoryOf(server.pids)
  return found
}

/** Prints the table. Returns the names of what costs too much. */
function compare(found: Record<string, number>, marks: Marks): string[] {
  const isOver = (name: string) => (found[name] ?? 0) > (marks[name]?.now ?? Infinity) * tolerance
  console.table(
    Object.entries(found).map(([name, value]) => ({
      name,
      found: Number(value.toFixed(1)),
      kept: marks[name]?.now ?? null,
      aim: marks[name]?.aim ?? null,
      over: isOver(name) ? 'over' : '',
    })),
  )
  return Object.keys(found).filter(isOver)
}

async function keep(found: Record<string, number>, marks: Marks): Promise<void> {
  for (const [name, value] of Object.entries(found)) {
    const mark = (marks[name] ??= { aim: value, now: null })
    mark.now = Number(Math.min(mark.now ?? Infinity, value).toFixed(1))
  }
  await writeFile(file, `${JSON.stringify(marks, null, 2)}\n`)
}

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' } },
  allowPositionals: true,
})
const marks = JSON.parse(await readFile(file, 'utf8')) as Marks
const isRequest = (name: string) => !name.startsWith('memory ')
const names = positionals.length > 0 ? positionals : Object.keys(marks).filter(isRequest)
const unknown = names.filter((name) => !benches[name])
if (unknown.length > 0)
  throw new Error(`there is no benchmark ${unknown.join()}: ${Object.keys(benches).join(', ')}`)
await withDataDir(async (dataDir) => {
  const seeded = await withServer(dataDir, (server) => seed(server.databaseUrl))
  const found = await withServer(dataDir, (server) => measureAll(server, seeded, names), smallBuffers)
  const over = compare(found, marks)
  if (values.write) await keep(found, marks)
  else if (over.length > 0) process.exitCode = 1
})
