// Posts that go to the servers of those who follow their author.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { withClient } from './database.ts'
import { cpuOf } from './processes.ts'
import { insertPeople, token } from './seed.ts'
import type { BenchServer } from './server.ts'

export const hosts = 200
const atOnce = 4
const author = String(2 ** 50)
const authorIndex = 9_000

export interface Arrivals {
  arrived: number
  p50: number
  p95: number
  max: number
}

export interface Inboxes {
  port: number
  read(): Promise<Arrivals>
  forget(): Promise<void>
  close(): void
}

/** The inboxes of `count` hosts, `dead` of which do not answer, on any port unless one is told. */
export async function startInboxes(count: number, dead: number, wanted = 0): Promise<Inboxes> {
  const script = path.join(import.meta.dirname, 'inboxes.ts')
  const child = spawn(process.execPath, [script, ...[count, dead, wanted].map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
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
      `insert into follows (id, account_id, target_account_id)
       select (1::bigint << 52) + i, i, $1 from generate_series(1, ${hosts}) i`,
      [accountId],
    )
  })
}

async function say(server: BenchServer, bearer: string, count: number): Promise<void> {
  let left = count
  const one = async () => {
    while (left-- > 0) {
      const response = await fetch(`${server.base}/api/v1/statuses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: `Number ${left}: ${'some words that people write, '.repeat(8)}` }),
      })
      if (!response.ok) throw new Error(`posting answered ${response.status}`)
      await response.text()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

export async function arrivalOf(inboxes: Inboxes, count: number): Promise<Arrivals> {
  for (;;) {
    const found = await inboxes.read()
    if (found.arrived >= count) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export interface Deliveries extends Omit<Arrivals, 'arrived'> {
  dead: number
  deliveries: number
  perSecond: number
  cpuMs: number
  postedInMs: number
}

export interface Followers {
  /** Has `posts` posts delivered to all of them. */
  measure(posts: number): Promise<Deliveries>
  close(): void
}

/** Someone whom an account on each of `hosts` servers follows, `dead` of which do not answer. */
export async function prepareFollowers(server: BenchServer, dead: number): Promise<Followers> {
  const inboxes = await startInboxes(hosts, dead)
  const live = hosts - dead
  await withClient(server.databaseUrl, async (client) => {
    const { rows } = await client.query('select 1 from accounts where id = $1', [author])
    if (rows.length === 0) await insertPeople(client, [author], authorIndex)
  })
  await follow(server, inboxes.port, author)
  await say(server, token(authorIndex), 3)
  await arrivalOf(inboxes, 3 * live)

  async function measure(posts: number): Promise<Deliveries> {
    await inboxes.forget()
    const [begun, before] = [performance.now(), cpuOf(server.pids)]
    await say(server, token(authorIndex), posts)
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
  }
  return { measure, close: inboxes.close }
}
