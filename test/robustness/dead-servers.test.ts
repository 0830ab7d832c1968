// Followers on servers that are gone for good are no reason for others to wait.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startDeliverer } from '#worker/delivery-worker.ts'
import { drainOutbox } from '#worker/outbox.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import { waitForOthers } from '#test/app/wait-for-others.ts'
import type { AccountId } from '#lib/id.ts'

const network = useNetwork()

/** Hosts that take connections and never say anything: nothing else keeps a sender waiting for longer. */
async function startSilence(count: number) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const hosts = Array.from({ length: count }, (_, i) => `127.0.7.${i + 1}:${port}`)
  const end = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { hosts, sockets, end }
}

/** One account of each host follows; `failures`: how often in a row the host has not answered yet. */
async function follow(
  { ctx }: NetworkServer,
  accountId: AccountId,
  hosts: readonly string[],
  failures: number,
) {
  const ids = hosts.map(() => ctx.newId())
  await sql`
    with others as (
      insert into accounts (id, username, domain, uri, uri_host, inbox_url)
      select id, 'peer', host, 'http://' || host || '/peer', host, 'http://' || host || '/inbox'
      from unnest(${ids}::bigint[], ${hosts}::text[]) t (id, host) returning id, domain),
    known as (insert into hosts (host, failures) select domain, ${failures} from others)
    insert into follows (id, account_id, target_account_id) select id, id, ${accountId} from others`.execute(
    ctx.db,
  )
}

test('live servers get what is new at once, though most followers are on dead ones [ROB-19]', async () => {
  const app = await network.server()
  const alice = await app.person('alice')
  const live = await Promise.all([2, 3, 4, 5].map((n) => network.peer(`127.0.0.${n}`)))
  for (const peer of live) await (await peer.actor('bob')).follow(app.uriOf(alice))
  await app.settle()
  for (const peer of live) peer.inbox.clear()
  const dead = await startSilence(250)
  await follow(app, alice.accountId, dead.hosts.slice(0, 220), 3)
  await follow(app, alice.accountId, dead.hosts.slice(220), 0)
  // The dead are not given up before the test is: whoever waited for one of them would receive nothing.
  waitForOthers(app.ctx)
  const deliverer = startDeliverer(app.ctx, true)
  onTestFinished(() => deliverer.stop())
  onTestFinished(dead.end)
  for (const text of ['one', 'two', 'three']) {
    await alice.say(text)
    await drainOutbox(app.ctx)
    for (const peer of live) await peer.received('Create', 1)
    for (const peer of live) peer.inbox.clear()
  }
  // Of those that were dead before only some are tried at a time.
  expect(dead.sockets.size).toBeGreaterThan(30)
  expect(dead.sockets.size).toBeLessThanOrEqual(60)
  const { rows } = await sql`select 1 from deliveries where host like '127.0.7.%'`.execute(app.ctx.db)
  expect(rows).toHaveLength(750)
})
