// What it costs to send posts to the followers' servers, and how much dead servers slow the live ones:
// node bench/delivery.ts. Prints a table, then one line of JSON.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { generateKeyPairSync, sign } from 'node:crypto'
import { withClient } from './kit/database.ts'
import { cpuOf } from './kit/processes.ts'
import { insertPeople, token } from './kit/seed.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'

const hosts = 200
const posts = 100
const atOnce = 4
const author = String(2 ** 50)

interface Arrivals {
  arrived: number
  p50: number
  p95: number
  max: number
}

interface Inboxes {
  port: number
  read(): Promise<Arrivals>
  forget(): Promise<void>
  close(): void
}

async function startInboxes(dead: number): Promise<Inboxes> {
  const script = path.join(import.meta.dirname, 'kit/inboxes.ts')
  const child = spawn(process.execPath, [script, String(hosts), String(dead)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(line.toString())
  const url = `http://127.0.0.1:${port}/`
  return {
    port,
    read: async () => (await (await fetch(url)).json()) as Arrivals,
    forget: async () => void (await (await fetch(url, { method: 'DELETE' })).text()),
    close: () => void child.kill(),
  }
}

/** One account on each host, and all of them follow the one who posts. */
async function follow(server: BenchServer, port: number, accountId: string): Promise<void> {
  await withClient(server.databaseUrl, async (client) => {
    await client.query(`delete from hosts`)
    await client.query(`delete from accounts where domain is not null`)
    await client.query(
      `insert into accounts (id, username, domain, uri, uri_host, inbox_url, shared_inbox_url, actor_type)
       select i, 'peer' || i, host, 'http://' || host || '/users/peer', host, 'http://' || host || '/users/peer/inbox',
         'http://' || host || '/inbox', 'Person'
       from (select i, '127.0.5.' || i || ':' || $1 as host from generate_series(1, ${hosts}) i) h`,
      [port],
    )
    await client.query(
      `insert into follows (id, account_id, target_account_id) select i, i, $1 from generate_series(1, ${hosts}) i`,
      [accountId],
    )
  })
}

async function say(server: BenchServer, token: string, count: number): Promise<void> {
  let left = count
  const one = async () => {
    while (left-- > 0) {
      const response = await fetch(`${server.base}/api/v1/statuses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: `Number ${left}: ${'some words that people write, '.repeat(8)}` }),
      })
      if (!response.ok) throw new Error(`posting answered ${response.status}`)
      await response.text()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

async function arrivalOf(inboxes: Inboxes, count: number): Promise<Arrivals> {
  for (;;) {
    const found = await inboxes.read()
    if (found.arrived >= count) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** `dead` of the hosts do not answer. */
async function measure(server: BenchServer, dead: number) {
  const inboxes = await startInboxes(dead)
  const live = hosts - dead
  try {
    await follow(server, inboxes.port, author)
    await say(server, token(0), 3)
    await arrivalOf(inboxes, 3 * live)
    await inboxes.forget()
    const [begun, before] = [performance.now(), cpuOf(server.pids)]
    await say(server, token(0), posts)
    const postedIn = performance.now() - begun
    const arrivals = await arrivalOf(inboxes, posts * live)
    const seconds = (performance.now() - begun) / 1000
    const deliveries = posts * live
    return {
      dead,
      deliveries,
      perSecond: Math.round(deliveries / seconds),
      cpuMs: (cpuOf(server.pids) - before) / deliveries,
      postedInMs: Math.round(postedIn),
      p50: arrivals.p50,
      p95: arrivals.p95,
      max: arrivals.max,
    }
  } finally {
    inboxes.close()
  }
}

function signCost(): number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const data = Buffer.alloc(300)
  const before = process.cpuUsage()
  for (let i = 0; i < 1000; i += 1) sign('sha256', data, privateKey)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / 1000
}

await withDataDir((dataDir) =>
  withServer(
    dataDir,
    async (server) => {
      await withClient(server.databaseUrl, (client) => insertPeople(client, [author]))
      const signMs = signCost()
      const rows = [await measure(server, 0), await measure(server, hosts / 5)]
      console.table(rows.map((row) => ({ ...row, signMs, ratio: row.cpuMs / signMs })))
      console.log(JSON.stringify({ delivery: { rows, signMs } }))
    },
    { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' },
  ),
)
