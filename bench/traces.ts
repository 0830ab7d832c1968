// What traces cost: node bench/traces.ts. CPU of the server for a request without traces, with a collector, and with one
// that is away, as ratios to the first. Prints a table, then one line of JSON.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { settled } from './kit/database.ts'
import { load, type Shot } from './kit/load.ts'
import { cpuOf } from './kit/processes.ts'
import { generator } from './kit/random.ts'
import { benches, type Bench } from './kit/scenarios.ts'
import { seed, type Seeded } from './kit/seed.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'

const names = ['home', 'status', 'post']
const rounds = 2

const collector = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'))
})
collector.listen(0, '127.0.0.1')
await once(collector, 'listening')
const at = (port: number) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
const ways: Record<string, Record<string, string>> = {
  off: {},
  on: at((collector.address() as AddressInfo).port),
  'on, 5 %': {
    ...at((collector.address() as AddressInfo).port),
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.05',
  },
  'collector away': at(9),
}

async function measure(server: BenchServer, seeded: Seeded, name: string): Promise<number> {
  const bench = benches[name] as Bench
  const random = generator(3)
  const shots = Array.from({ length: bench.total }, (_, i) => bench.shot(seeded, i, random))
  const half = Math.floor(bench.total / 2)
  await load(server.base, { total: half, concurrency: 16 }, (i) => shots[i] as Shot)
  await settled(server.databaseUrl)
  const before = cpuOf(server.pids)
  await load(server.base, { total: bench.total - half, concurrency: 16 }, (i) => shots[half + i] as Shot)
  await settled(server.databaseUrl)
  return (cpuOf(server.pids) - before) / (bench.total - half)
}

await withDataDir(async (dataDir) => {
  const seeded = await withServer(dataDir, (server) => seed(server.databaseUrl))
  const costs: Record<string, Record<string, number>> = {}
  for (let round = 0; round < rounds; round += 1) {
    for (const [way, env] of Object.entries(ways)) {
      await withServer(
        dataDir,
        async (server) => {
          for (const name of names) {
            const cost = await measure(server, seeded, name)
            const known = (costs[name] ??= {})
            known[way] = Math.min(known[way] ?? Number.POSITIVE_INFINITY, cost)
          }
        },
        env,
      )
    }
  }
  console.log(`CPU ms     ${Object.keys(ways).join('   ')}`)
  for (const [name, of] of Object.entries(costs)) {
    const cells = Object.values(of).map(
      (cost) => `${cost.toFixed(2)} (${(cost / (of['off'] ?? cost)).toFixed(2)})`,
    )
    console.log(`${name.padEnd(10)} ${cells.join('   ')}`)
  }
  console.log(JSON.stringify(costs))
})
collector.close()
