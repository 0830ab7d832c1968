// What the program here costs beside that of another checkout, by turns on a machine that is never quiet:
// node bench/by-turns.ts CHECKOUT [NAME …]. The names of bench/api.ts, inbound and delivery. Prints medians of server CPU
// milliseconds, then one line of JSON.
import path from 'node:path'
import { withClient } from './kit/database.ts'
import { measureInbound, preparePeer } from './kit/inbound-load.ts'
import { prepareFollowers } from './kit/delivery-load.ts'
import { measure, warmUp } from './kit/measure.ts'
import { memoryOf } from './kit/processes.ts'
import { benches, type Bench } from './kit/scenarios.ts'
import { seed, type Seeded } from './kit/seed.ts'
import { smallBuffers, withDataDir, withServer, type BenchServer, type Place } from './kit/server.ts'

const rounds = 3
const inboundAtOnce = 500
const postsAtOnce = 10

/** Measures one thing once. Returns milliseconds each. */
type Turn = (round: number) => Promise<number>

interface Side {
  turns: Map<string, Turn>
  memory(): { node: number; postgres: number }
  close(): Promise<void>
}

async function prepare(server: BenchServer, seeded: Seeded, names: readonly string[]): Promise<Side> {
  const turns = new Map<string, Turn>()
  const closing: (() => unknown)[] = []
  await warmUp(server, seeded)
  // The feeds that it wrote: on the side that was prepared first a vacuum comes by itself while the other one is filled.
  await withClient(server.databaseUrl, (client) => client.query('vacuum analyze'))
  // It removes the accounts of other servers, so it comes before the one that needs them.
  if (names.includes('delivery')) {
    const followers = await prepareFollowers(server, 0)
    closing.push(() => followers.close())
    turns.set('delivery', async () => (await followers.measure(postsAtOnce)).cpuMs)
    await followers.measure(postsAtOnce)
  }
  if (names.includes('inbound')) {
    const peer = await preparePeer(server, seeded)
    closing.push(() => peer.close())
    const send: Turn = async (round) =>
      (await measureInbound(server, peer, 10_000 * (round + 1), inboundAtOnce)).cpuMs
    turns.set('inbound', send)
    await send(rounds + 1)
  }
  for (const name of names.filter((one) => benches[one])) {
    const bench = benches[name] as Bench
    const count = Math.floor(bench.total / rounds)
    turns.set(
      name,
      async (round) => (await measure(server, seeded, { bench, count, from: round * count })).cpu,
    )
  }
  return {
    turns,
    memory() {
      const postgres = memoryOf(server.pids.slice(1))
      return { node: memoryOf(server.pids) - postgres, postgres }
    },
    async close() {
      for (const close of closing) await close()
    },
  }
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

async function compare(there: Side, here: Side, names: readonly string[]): Promise<void> {
  const report: Record<string, unknown> = {}
  const costs = names.map((name) => ({ name, there: [] as number[], here: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    for (const cost of costs) {
      const order = round % 2 === 0 ? (['there', 'here'] as const) : (['here', 'there'] as const)
      for (const side of order) {
        const turn = (side === 'there' ? there : here).turns.get(cost.name) as Turn
        cost[side].push(await turn(round))
      }
    }
  }
  for (const { name, ...cost } of costs) {
    const [before, after] = [median(cost.there), median(cost.here)]
    report[name] = { there: before, here: after, ratio: after / before, all: cost }
    console.log(
      `${name.padEnd(16)} ${before.toFixed(2)} → ${after.toFixed(2)} (${(after / before).toFixed(2)})`,
    )
  }
  const memory = { there: there.memory(), here: here.memory() }
  for (const [side, { node, postgres }] of Object.entries(memory))
    console.log(`memory ${side.padEnd(9)} Node ${node.toFixed(0)} MB, PostgreSQL ${postgres.toFixed(0)} MB`)
  console.log(JSON.stringify({ ...report, memory }))
}

const [checkout, ...asked] = process.argv.slice(2)
if (!checkout) throw new Error('name the folder of another checkout, with its packages installed')
const names =
  asked.length > 0 ? asked : ['inbound', 'delivery', 'status', 'home', 'favourite', 'post-mention']
const unknown = names.filter((name) => !benches[name] && name !== 'inbound' && name !== 'delivery')
if (unknown.length > 0) throw new Error(`there is no benchmark ${unknown.join()}`)

/** Fills a server, starts it again, and runs `work` with it. */
async function withSide(place: Place, work: (side: Side) => Promise<void>): Promise<void> {
  const env = { ...smallBuffers, ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }
  await withDataDir(async (dataDir) => {
    const seeded = await withServer(dataDir, (server) => seed(server.databaseUrl), env, place)
    await withServer(
      dataDir,
      async (server) => {
        const side = await prepare(server, seeded, names)
        await work(side).finally(() => side.close())
      },
      env,
      place,
    )
  })
}

// Below those that programs are given who ask for any: both have to be free for as long as it takes to fill a server.
await withSide({ project: path.resolve(checkout), port: 3996 }, (there) =>
  withSide({ port: 3997 }, (here) => compare(there, here, names)),
)
