import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { leaseHosts, sweepDeliveries } from '#domain/federation/queue/deliveries.ts'
import { deliveryCounts } from '#domain/federation/queue/delivery-counts.ts'
import { countWaitingTraffic } from '#domain/federation/queue/waiting-traffic.ts'
import { reopenHost } from '#domain/server/hosts/breaker.ts'
import { retryTime } from '#federation/outbox/deliver.ts'
import { enqueue } from '#federation/outbox/enqueue.ts'
import { deliverDue, startDeliverer } from '#worker/delivery-worker.ts'
import { patience } from '#test/run/patience.ts'
import { waitForOthers } from '#test/app/wait-for-others.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { Peer } from '#test/peer/peer.ts'

const network = useNetwork()
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
let made = 0

interface Post {
  app: NetworkServer
  sender: Person
}

async function setUp(host?: string) {
  const app = await network.server()
  const sender = await app.person('alice')
  const peer = await network.peer(host)
  return { app, sender, peer, bob: await peer.actor('bob') }
}

/** Stores an activity for inboxes. Returns its number. */
async function post({ app, sender }: Post, ...inboxes: string[]): Promise<number> {
  const number = ++made
  const actor = app.uriOf(sender)
  const activity = { id: `${actor}#test/${number}`, type: 'Note', actor, number }
  await enqueue(app.ctx, { senderId: sender.accountId, activity, inboxes })
  return number
}

const numbers = (peer: Peer) => peer.inbox.map((one) => one.json.number as number)
const deliver = ({ ctx }: NetworkServer) => deliverDue(ctx)

async function waiting({ ctx }: NetworkServer, { domain }: Peer) {
  const { rows } = await sql<{ attempts: number; due_at: Date }>`
    select attempts, due_at from deliveries where host = ${domain} order by due_at, id`.execute(ctx.db)
  return rows.map((row) => ({ attempts: row.attempts, wait: row.due_at.getTime() - ctx.clock.now() }))
}

async function stateOf({ ctx }: NetworkServer, { domain }: Peer) {
  const { rows } = await sql<{ failures: number; failed_days: number; closed_until: Date | null }>`
    select failures, failed_days, closed_until, signature_scheme, leased_until from hosts where host = ${domain}`.execute(
    ctx.db,
  )
  return rows[0]
}

async function leftOver({ ctx }: NetworkServer) {
  const { rows } = await sql`
    select 1 from outgoing_activities o where not exists (select 1 from deliveries d where d.activity_id = o.id)`.execute(
    ctx.db,
  )
  return rows.length
}

/** Attempts what is due, then moves on to when something is due again, some times over. */
async function tryFor(app: NetworkServer, times: number, step: number) {
  for (let i = 0; i < times; i += 1) {
    await deliver(app)
    await network.advance(step)
  }
}

describe('the queue', () => {
  test('asks the block list once for the hosts that are sent to together', async () => {
    const { app, sender, bob } = await setUp()
    const others = await Promise.all(
      ['127.0.0.3', '127.0.0.4', '127.0.0.5'].map((host) => network.peer(host)),
    )
    const inboxes = await Promise.all(others.map(async (peer) => (await peer.actor('carol')).inbox))
    // The keys with which it is signed are there then.
    await post({ app, sender }, bob.inbox)
    await deliver(app)
    await post({ app, sender }, bob.inbox, ...inboxes)
    const statements = await app.countQueries(() => deliver(app))
    expect(statements.filter((text) => text.includes('select domain from domain_blocks'))).toHaveLength(1)
    expect(others.map((peer) => peer.inbox.length)).toEqual([1, 1, 1])
  })

  test('gets one row for each inbox, once, and none for what is no other server', async () => {
    const { app, sender, peer, bob } = await setUp()
    const own = app.inboxOf(sender)
    const activity = { id: `${app.uriOf(sender)}#once`, type: 'Note', actor: app.uriOf(sender) }
    const sending = {
      senderId: sender.accountId,
      activity,
      inboxes: [
        bob.inbox,
        bob.sharedInbox,
        bob.inbox,
        own,
        'ftp://x',
        'http://10.0.0.1/inbox',
        'http://[::1]/inbox',
      ],
    }
    await enqueue(app.ctx, sending)
    await enqueue(app.ctx, sending)
    expect(await waiting(app, peer)).toHaveLength(2)
    await deliver(app)
    expect(peer.inbox.map((one) => one.path).toSorted()).toEqual(['/inbox', '/users/bob/inbox'])
    expect(peer.inbox.map((one) => one.signer)).toEqual([app.uriOf(sender), app.uriOf(sender)])
    expect(peer.inbox[0]?.headers).toMatchObject({ 'content-type': 'application/activity+json' })
    expect(await waiting(app, peer)).toEqual([])
    expect(await leftOver(app)).toBe(0)
  })

  test('leaves one line in the log for a host that fails, whatever number of inboxes it has, and is counted', async () => {
    const { app, sender, peer, bob } = await setUp('127.0.0.17')
    const inboxes = Array.from({ length: 5 }, (_, number) => peer.url(`/inbox/${number}`))
    const lines = () =>
      app.logLines
        .map(({ fields }) => fields)
        .filter(({ host, deliveries }) => host === peer.domain && deliveries)
    const before = deliveryCounts(app.ctx)
    peer.inboxAnswers({ status: 401 })
    await post({ app, sender }, bob.inbox, ...inboxes)
    await deliver(app)
    expect(lines()).toMatchObject([
      { reason: 'status 401', deliveries: 6, nextTry: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
    peer.inboxAnswers({ status: 410 })
    await network.advance(hour)
    await deliver(app)
    expect(lines().slice(1)).toMatchObject([{ reason: 'status 410', deliveries: 6, nextTry: null }])
    const after = deliveryCounts(app.ctx)
    expect([after.again - before.again, after.refused - before.refused]).toEqual([6, 6])
    expect(after.delivered).toBe(before.delivered)
  })

  test('is empty of a host with which this server has broken off, before and after [FED-36]', async () => {
    const { app, sender, peer, bob } = await setUp('127.0.0.7')
    await post({ app, sender }, bob.inbox)
    await sql`insert into domain_blocks (id, domain, severity) values (${app.ctx.newId()}, '127.0.0.7', 'suspend')`.execute(
      app.ctx.db,
    )
    onTestFinished(async () => void (await sql`delete from domain_blocks`.execute(app.ctx.db)))
    await post({ app, sender }, bob.inbox)
    expect(await waiting(app, peer)).toHaveLength(1)
    await deliver(app)
    expect(peer.connections).toBe(0)
    expect(await waiting(app, peer)).toEqual([])
  })

  test('is empty of a host that is no longer one of those allowed', async () => {
    const app = await network.server('limited', { env: { LIMITED_FEDERATION_MODE: 'true' } })
    const sender = await app.person('alice')
    const peer = await network.peer('127.0.0.8', { app })
    const bob = await peer.actor('bob')
    await sql`insert into domain_allows (id, domain) values (${app.ctx.newId()}, ${peer.domain})`.execute(
      app.ctx.db,
    )
    await post({ app, sender }, bob.inbox)
    await deliver(app)
    const before = peer.connections
    expect(before).toBeGreaterThan(0)
    await sql`delete from deliveries`.execute(app.ctx.db)
    await post({ app, sender }, bob.inbox)
    expect(await waiting(app, peer)).toHaveLength(1)
    await sql`delete from domain_allows`.execute(app.ctx.db)
    await deliver(app)
    expect(peer.inbox.length).toBeLessThanOrEqual(1)
    expect(await waiting(app, peer)).toEqual([])
  })

  test('lets go of what has waited for a week, with its activities', async () => {
    const { app, sender, peer, bob } = await setUp()
    peer.inboxAnswers({ status: 429, headers: { 'retry-after': '99999' } })
    for (let i = 0; i < 3; i += 1) await post({ app, sender }, bob.inbox)
    await tryFor(app, 6, day + minute)
    await post({ app, sender }, bob.inbox)
    await sweepDeliveries(app.ctx)
    expect(await waiting(app, peer)).toHaveLength(4)
    await tryFor(app, 1, day)
    await sweepDeliveries(app.ctx)
    expect(await waiting(app, peer)).toHaveLength(1)
    expect(await leftOver(app)).toBe(0)
  })

  test('is sent to a host one after the other, in order, though two processes do so', async () => {
    const { app, sender, peer, bob } = await setUp()
    const sent: number[] = []
    for (let i = 0; i < 50; i += 1) sent.push(await post({ app, sender }, bob.inbox))
    let [now, max] = [0, 0]
    peer.inboxAnswers(async () => {
      now += 1
      max = Math.max(max, now)
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
      return 202
    })
    await Promise.all([deliver(app), deliver(app)])
    await deliver(app)
    expect(numbers(peer)).toEqual(sent)
    expect(max).toBe(1)
    // Connections are kept.
    expect(peer.connections).toBeLessThanOrEqual(4)
    expect(await leftOver(app)).toBe(0)
  })

  test('of a process that died is sent when its lease has run out', async () => {
    const { app, sender, peer, bob } = await setUp()
    const sent = await post({ app, sender }, bob.inbox)
    const now = app.ctx.clock.now()
    await leaseHosts(app.ctx, { now, until: now + minute }, { healthy: 100, doubtful: 100 })
    const later = await post({ app, sender }, bob.inbox)
    await deliver(app)
    expect(numbers(peer)).toEqual([])
    await network.advance(minute)
    await deliver(app)
    expect(numbers(peer)).toEqual([sent, later])
  })
})

describe('an inbox that answers [FED-54]', () => {
  test.each([410, 404, 403, 422, 501])('%i is left alone from then on, and nobody else', async (status) => {
    const { app, sender, peer, bob } = await setUp()
    const carol = await peer.actor('carol')
    peer.inboxAnswers(({ path }) => (path === '/users/bob/inbox' ? status : 202))
    await post({ app, sender }, bob.inbox, carol.inbox)
    await deliver(app)
    expect(peer.inbox).toHaveLength(2)
    expect(await waiting(app, peer)).toEqual([])
    expect(await stateOf(app, peer)).toMatchObject({ failures: 0 })
  })

  test.each([500, 502, 503, 408, 'drop', 302] as const)(
    '%s gets it again after growing delays',
    async (answer) => {
      const { app, sender, peer, bob } = await setUp()
      peer.inboxAnswers(answer)
      await post({ app, sender }, bob.inbox)
      const waits: number[] = []
      for (let i = 0; i < 4; i += 1) {
        await deliver(app)
        const [row] = await waiting(app, peer)
        expect(row?.attempts).toBe(i + 1)
        waits.push(row?.wait ?? 0)
        await network.advance(row?.wait ?? 0)
      }
      expect(waits[0]).toBeGreaterThanOrEqual(10_000)
      expect(waits[3]).toBeGreaterThanOrEqual(265_000)
      peer.inboxAnswers(200)
      await deliver(app)
      expect(await waiting(app, peer)).toEqual([])
      expect(await stateOf(app, peer)).toMatchObject({ failures: 0, failed_days: 0 })
    },
  )

  test('429 gets nothing before the time it names', async () => {
    const { app, sender, peer, bob } = await setUp()
    peer.inboxAnswers({ status: 429, headers: { 'retry-after': '600' } })
    await post({ app, sender }, bob.inbox)
    await post({ app, sender }, bob.inbox)
    await deliver(app)
    expect(peer.inbox).toHaveLength(1)
    peer.inboxAnswers(202)
    await tryFor(app, 5, 119_000)
    expect(peer.inbox).toHaveLength(1)
    await tryFor(app, 2, 5_000)
    expect(peer.inbox).toHaveLength(3)
    expect(await waiting(app, peer)).toEqual([])
  })

  test.each([
    ['0', 5_000],
    ['-5', minute],
    ['1.5', minute],
    ['soon', minute],
    ['99999999999999', day],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 5_000],
    [undefined, minute],
  ])('429 with Retry-After %s has the whole host rest all the same', async (text, rest) => {
    const { app, sender, peer, bob } = await setUp()
    peer.inboxAnswers({ status: 429, headers: text === undefined ? {} : { 'retry-after': text } })
    for (let i = 0; i < 3; i += 1) await post({ app, sender }, bob.inbox)
    const before = app.ctx.clock.now()
    await deliver(app)
    const after = app.ctx.clock.now()
    expect(peer.inbox).toHaveLength(1)
    const until = Number((await stateOf(app, peer))?.closed_until)
    expect(until).toBeGreaterThanOrEqual(before + rest)
    expect(until).toBeLessThanOrEqual(after + rest)
  })

  test('503 is believed in a date too', async () => {
    const { app, sender, peer, bob } = await setUp()
    const until = new Date(app.ctx.clock.now() + hour).toUTCString()
    peer.inboxAnswers({ status: 503, headers: { 'retry-after': until } })
    await post({ app, sender }, bob.inbox)
    await deliver(app)
    const [row] = await waiting(app, peer)
    // Without a date it would be a minute.
    expect(row?.wait).toBeGreaterThan(hour - minute)
    await network.advance(hour + 2_000)
  })

  test('401 to one kind of signature gets the other kind, from then on at once', async () => {
    const { app, sender, peer, bob } = await setUp()
    peer.inboxAnswers(({ signed }) => (signed?.scheme === 'rfc9421' ? 202 : 401))
    await post({ app, sender }, bob.inbox)
    await deliver(app)
    expect(peer.inbox.map((one) => one.answered)).toEqual([401, 202])
    expect(await waiting(app, peer)).toEqual([])
    await post({ app, sender }, bob.inbox)
    await deliver(app)
    expect(peer.inbox.map((one) => one.answered)).toEqual([401, 202, 202])
  })

  test('401 to the farewell of an account that is gone is over, once both kinds were tried', async () => {
    const { app, sender, peer, bob } = await setUp()
    peer.inboxAnswers(401)
    await post({ app, sender }, bob.inbox)
    await sql`update accounts set deleted_at = now() where id = ${sender.accountId}`.execute(app.ctx.db)
    await deliver(app)
    expect(peer.inbox).toHaveLength(2)
    expect(await waiting(app, peer)).toEqual([])
  })

  test('400 to both kinds is over; 401 to both comes again', async () => {
    const { app, sender, peer, bob } = await setUp()
    peer.inboxAnswers(400)
    await post({ app, sender }, bob.inbox)
    await deliver(app)
    expect(peer.inbox).toHaveLength(2)
    expect(await waiting(app, peer)).toEqual([])
    peer.inboxAnswers(401)
    await post({ app, sender }, bob.inbox)
    await deliver(app)
    expect(await waiting(app, peer)).toMatchObject([{ attempts: 1 }])
  })

  test('never gets it for some two days and a half, and then no more', () => {
    let [now, attempts] = [0, 0]
    for (;;) {
      const next = retryTime(now, attempts + 1, 0.5)
      if (next === null) break
      expect(next).toBeGreaterThan(now)
      ;[now, attempts] = [next, attempts + 1]
    }
    expect(attempts).toBe(16)
    expect(now / day).toBeGreaterThan(2)
    expect(now / day).toBeLessThan(4)
  })
})

describe('a host that does not answer', () => {
  async function close(host?: string) {
    const parts = await setUp(host)
    const { app, sender, peer, bob } = parts
    await peer.goAway()
    for (let i = 0; i < 12; i += 1) await post({ app, sender }, bob.inbox)
    await deliver(app)
    return parts
  }

  test('is left alone after ten failures in a row, then tried with one request at a time', async () => {
    const { app, peer } = await close()
    expect(await stateOf(app, peer)).toMatchObject({ failures: 10, leased_until: null })
    const counts = await countWaitingTraffic(app.ctx)
    expect(counts.deliveriesLater).toBeGreaterThanOrEqual(12)
    expect(counts).toMatchObject({ deliveriesDue: 0, hostsHeld: 1 })
    const before = await waiting(app, peer)
    expect(before.map((row) => row.attempts).toSorted()).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    // With some room for the time that passes here.
    await network.advance(40_000)
    await deliver(app)
    expect(await stateOf(app, peer)).toMatchObject({ failures: 10 })
    await network.advance(20_000)
    await deliver(app)
    expect(await stateOf(app, peer)).toMatchObject({ failures: 11 })
    const after = await waiting(app, peer)
    expect(after.reduce((sum, row) => sum + row.attempts, 0)).toBe(11)
    await network.advance(100_000)
    await deliver(app)
    expect(await stateOf(app, peer)).toMatchObject({ failures: 11 })
  })

  test('gets all that waited once it answers', async () => {
    const { app, peer } = await close()
    await peer.comeBack()
    await tryFor(app, 3, 10 * minute)
    expect(new Set(numbers(peer)).size).toBe(12)
    expect(numbers(peer)).toHaveLength(12)
    expect(await stateOf(app, peer)).toMatchObject({ failures: 0, failed_days: 0, closed_until: null })
  })

  test('gets it at once when it is heard of', async () => {
    const { app, peer } = await close()
    await peer.comeBack()
    await reopenHost(app.ctx, peer.domain)
    await deliver(app)
    expect(numbers(peer)).toHaveLength(2)
    await network.advance(minute)
    await deliver(app)
    expect(numbers(peer)).toHaveLength(12)
  })

  test('is given up after seven such days, until it is heard of', async () => {
    const { app, sender, peer, bob } = await close()
    await tryFor(app, 7, day)
    expect(await stateOf(app, peer)).toMatchObject({ failed_days: 7 })
    expect(await waiting(app, peer)).toEqual([])
    await post({ app, sender }, bob.inbox)
    expect(await waiting(app, peer)).toEqual([])
    expect(await leftOver(app)).toBe(0)
    await peer.comeBack()
    await reopenHost(app.ctx, peer.domain)
    await post({ app, sender }, bob.inbox)
    await deliver(app)
    expect(peer.inbox).toHaveLength(1)
  })
})

describe('beside a host that hangs and one that is gone [FED-53]', () => {
  test('others receive at once', async () => {
    const { app, sender, peer, bob } = await setUp()
    const [slow, gone] = [await network.peer('127.0.0.3'), await network.peer('127.0.0.4')]
    const actors = [bob, await slow.actor('slow'), await gone.actor('gone')] as const satisfies PeerActor[]
    const release = slow.hold()
    await gone.goAway()
    waitForOthers(app.ctx)
    const deliverer = startDeliverer(app.ctx, true)
    onTestFinished(() => deliverer.stop())
    onTestFinished(release)
    for (let i = 0; i < 30; i += 1) {
      await post({ app, sender }, ...actors.map((actor) => actor.inbox), 'http://127.0.0.5:9/%zz')
    }
    // Who hangs is not given up before the test is: whoever waited for that would receive nothing.
    await peer.received('Note', 30)
    expect(slow.inbox.length).toBeLessThanOrEqual(1)
    release()
    await slow.received('Note', 30)
    expect(new Set(numbers(slow)).size).toBe(30)
  })
})

test('what was sent is not kept when nothing is being sent any more', async () => {
  const { app, sender, peer, bob } = await setUp()
  peer.inboxAnswers(503)
  waitForOthers(app.ctx)
  const deliverer = startDeliverer(app.ctx, true)
  onTestFinished(() => deliverer.stop())
  const number = await post({ app, sender }, bob.inbox)
  await expect.poll(() => numbers(peer), { timeout: patience }).toContain(number)
  // Only whoever reads the activity anew at a later try sends what it says by then.
  await expect
    .poll(
      async () => {
        await sql`
          update outgoing_activities set body = jsonb_set(body::jsonb, '{number}', '-1')::text
          where (body::jsonb ->> 'number')::int = ${number}`.execute(app.ctx.db)
        await network.advance(hour)
        return numbers(peer)
      },
      { timeout: patience },
    )
    .toContain(-1)
})
