// Costs of the API against a real server: node bench/api.ts [NAME …]. Prints a table, then one line of JSON.
import { measure, measureFloor, warmUp } from './kit/measure.ts'
import { measureAtRest, memoryOf } from './kit/processes.ts'
import { benches, type Bench } from './kit/scenarios.ts'
import { seed, type Seeded } from './kit/seed.ts'
import { smallBuffers, withDataDir, withServer, type BenchServer } from './kit/server.ts'

async function run(server: BenchServer, seeded: Seeded, names: readonly string[]): Promise<void> {
  const atRest = await measureAtRest(server.pids)
  const [total, node, postgres] = [atRest.total, atRest.node, atRest.postgres].map(Math.round)
  console.log(
    `ready in ${Math.round(server.startedIn)} ms on an existing data folder; ${total} MB at rest: ${node} Node, ${postgres} PostgreSQL`,
  )
  console.log(
    'name            req/s    p50 ms   p99 ms   errors  CPU ms  of it PG   aim   floor CPU  ratio   bytes',
  )
  await warmUp(server, seeded)
  const report: Record<string, unknown> = { startedIn: server.startedIn, atRest }
  const costs = new Map<string, number>()
  for (const name of names) {
    const bench = benches[name] as Bench
    const result = await measure(server, seeded, { bench, count: bench.total })
    const floor = await measureFloor(result.bytes)
    const ratio = result.cpu / floor
    const cells = [
      name.padEnd(14),
      result.perSecond.toFixed(0).padStart(6),
      result.p50.toFixed(1).padStart(9),
      result.p99.toFixed(1).padStart(8),
      String(result.errors).padStart(8),
      result.cpu.toFixed(2).padStart(7),
      result.databaseCpu.toFixed(2).padStart(9),
      String(bench.aim).padStart(6),
      floor.toFixed(3).padStart(9),
      ratio.toFixed(1).padStart(8),
      result.bytes.toFixed(0).padStart(8),
    ]
    console.log(cells.join(' '))
    report[name] = { ...result, floor, ratio }
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
  await withServer(dataDir, (server) => run(server, seeded, names), smallBuffers)
})
