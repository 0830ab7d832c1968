import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { connectEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import type { Json } from '#test/client/client.ts'
import { until } from '#test/run/patience.ts'
import { createServerProcess } from '#test/processes/server-process.ts'
import type { AccountId } from '#lib/id.ts'
import { isNight } from '#test/run/night.ts'

/** More of both than in a usual run may be asked for: DELIVERY_HOSTS=200 DELIVERY_POSTS=250 are 50,000 deliveries. */
const hosts = Number(process.env['DELIVERY_HOSTS'] ?? 20)
const posts = Number(process.env['DELIVERY_POSTS'] ?? 60)

/** Inboxes on addresses of their own. Answers take a while, so that a kill finds many under way. */
async function startInboxes() {
  const arrived = Array.from({ length: hosts }, () => [] as string[])
  let port = 0
  for (const [index, ids] of arrived.entries()) {
    const take = async (request: IncomingMessage, response: ServerResponse) => {
      const body = JSON.parse((await buffer(request)).toString()) as Json
      ids.push(body.id)
      await sleep(40)
      response.writeHead(202).end()
    }
    const server = createServer((request, response) => void take(request, response).catch(() => {}))
    server.listen(port, `127.0.6.${index + 1}`)
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    onTestFinished(() => void server.close().closeAllConnections())
  }
  return { arrived, port }
}

const countOf = (arrived: string[][]) => arrived.reduce((sum, ids) => sum + new Set(ids).size, 0)

const untilArrived = (arrived: string[][], count: number) =>
  until(
    () => countOf(arrived) >= count,
    () => `${count} deliveries, of which ${countOf(arrived)} arrived`,
    { interval: 5 },
  )

/** An account on each host follows the one who posts. */
async function follow(databaseUrl: string, port: number, accountId: AccountId): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `with others as (
       insert into accounts (id, username, domain, uri, uri_host, inbox_url)
       select i, 'peer', host, 'http://' || host || '/peer', host, 'http://' || host || '/inbox'
       from (select i, '127.0.6.' || i || ':' || $1 as host from generate_series(1, ${hosts}) i) h returning id)
     insert into follows (id, account_id, target_account_id) select id, id, $2 from others`,
    [port, accountId],
  )
  await client.end()
}

test.runIf(isNight)(
  'what is being delivered when the process is killed is delivered by the next one, one at most twice to a host',
  async () => {
    const { arrived, port } = await startInboxes()
    const server = await createServerProcess({
      prepared: true,
      env: { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' },
    })
    onTestFinished(() => server.remove())
    await server.start()
    const [alice] = await server.people('alice')
    const databaseUrl = await connectEmbeddedPostgres({ dataDir: server.dataDir })
    await follow(databaseUrl as string, port, alice!.accountId)
    for (let i = 0; i < posts; i += 1) await alice!.say(`Number ${i}`)
    const kills = 2
    for (let kill = 1; kill <= kills; kill += 1) {
      await untilArrived(arrived, (hosts * posts * kill) / (kills + 1))
      await server.end('SIGKILL')
      expect(countOf(arrived)).toBeLessThan(hosts * posts)
      await server.start()
    }
    await untilArrived(arrived, hosts * posts)
    await sleep(500)
    for (const ids of arrived) {
      expect(new Set(ids).size).toBe(posts)
      expect(ids.length - posts).toBeLessThanOrEqual(kills)
    }
    // Otherwise nothing was under way, and this says nothing.
    expect(arrived.some((ids) => ids.length > posts)).toBe(true)
  },
)
