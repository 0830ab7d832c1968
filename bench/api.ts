// Costs of the API against a real server: node bench/api.ts [NAME …]. Prints a table, then one line of JSON.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { settled } from './kit/database.ts'
import { load, type Result, type Shot } from './kit/load.ts'
import { cpuOf, memoryOf } from './kit/processes.ts'
import { generator } from './kit/random.ts'
import { benches, viewers, type Bench } from './kit/scenarios.ts'
import { seed, type Seeded } from './kit/seed.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'

async function measure(
  server: BenchServer,
  seeded: Seeded,
  bench: Bench,
): Promise<Result & { cpu: number; databaseCpu: number }> {
  const random = generator(3)
  const shots = Array.from({ length: bench.total }, (_, i) => bench.shot(seeded, i, random))
  const warm = Math.min(viewers * 2, Math.floor(bench.total / 4))
  await load(server.base, { total: warm, concurrency: bench.concurrency ?? 16 }, (i) => shots[i] as Shot)
  await settled(server.databaseUrl)
  const before = cpuOf(server.pids)
  const databaseBefore = cpuOf(server.pids.slice(1))
  const result = await load(
    server.base,
    { total: bench.total - warm, concurrency: bench.concurrency ?? 20 },
    (i) => shots[warm + i] as Shot,
  )
  await settled(server.databaseUrl)
  const databaseCpu = (cpuOf(server.pids.slice(1)) - databaseBefore) / result.requests
  return { ...result, cpu: (cpuOf(server.pids) - before) / result.requests, databaseCpu }
}

/** A server that has run for a minute: compiled, connected, with warm caches. */
async function warmUp(server: BenchServer, seeded: Seeded): Promise<void> {
  const random = generator(5)
  const mix = benches['mix'] as Bench
  await load(server.base, { total: 2000, concurrency: 16 }, (i) => mix.shot(seeded, i, random))
  await settled(server.databaseUrl)
}

/** The same number of bytes from the bare server, its share of PostgreSQL included. */
async function measureFloor(server: BenchServer, bytes: number): Promise<Result & { cpu: number }> {
  const port = 3998
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'kit/floor.ts'), String(port), server.databaseUrl],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await once(child.stdout, 'data')
  const base = `http://127.0.0.1:${port}`
  const shot = () => ({ path: `/${Math.round(bytes)}` })
  const total = Math.min(3000, Math.ceil(3e8 / bytes))
  await load(base, { total: Math.ceil(total / 6), concurrency: 16 }, shot)
  const pids = [child.pid as number, server.pids[1] as number]
  const before = cpuOf(pids)
  const result = await load(base, { total, concurrency: 20 }, shot)
  const cpu = (cpuOf(pids) - before) / result.requests
  child.kill()
  return { ...result, cpu }
}

async function run(server: BenchServer, seeded: Seeded, names: readonly string[]): Promise<void> {
  const atRest = memoryOf(server.pids)
  console.log(
    `ready in ${Math.round(server.startedIn)} ms on an existing data folder; ${atRest.toFixed(0)} MB at rest`,
  )
  console.log(
    'name            req/s    p50 ms   p99 ms   errors  CPU ms  of it PG   aim   floor CPU  ratio   bytes',
  )
  await warmUp(server, seeded)
  const report: Record<string, unknown> = { startedIn: server.startedIn, atRest }
  const costs = new Map<string, number>()
  for (const name of names) {
    const bench = benches[name] as Bench
    const result = await measure(server, seeded, bench)
    const floor = await measureFloor(server, result.bytes)
    const ratio = result.cpu / floor.cpu
    const cells = [
      name.padEnd(14),
      result.perSecond.toFixed(0).padStart(6),
      result.p50.toFixed(1).padStart(9),
      result.p99.toFixed(1).padStart(8),
      String(result.errors).padStart(8),
      result.cpu.toFixed(2).padStart(7),
      result.databaseCpu.toFixed(2).padStart(9),
      String(bench.aim).padStart(6),
      floor.cpu.toFixed(2).padStart(9),
      ratio.toFixed(1).padStart(8),
      result.bytes.toFixed(0).padStart(8),
    ]
    console.log(cells.join(' '))
    report[name] = { ...result, floor: floor.cpu, ratio }
    costs.set(name, result.cpu)
  }
  const [home, filtered] = [costs.get('home'), costs.get('home-filtered')]
  if (home && filtered) {
    report['filters'] = filtered / home
    console.log(`200 filter keywords make home ${(filtered / home).toFixed(2)} times as dear (aim 1.3)`)
  }
  const afterLoad = memoryOf(server.pids)
  console.log(
    `${afterLoad.toFixed(0)} MB after load: ${memoryOf(server.pids.slice(1)).toFixed(0)} MB of it PostgreSQL`,
  )
  console.log(JSON.stringify({ ...report, afterLoad }))
}

const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(benches)
const unknown = names.filter((name) => !benches[name])
if (unknown.length > 0)
  throw new Error(`there is no benchmark ${unknown.join()}: ${Object.keys(benches).join(', ')}`)

await withDataDir(async (dataDir) => {
  const seeded = await withServer(dataDir, (server) => seed(server.databaseUrl))
  await withServer(dataDir, (server) => run(server, seeded, names))
})
