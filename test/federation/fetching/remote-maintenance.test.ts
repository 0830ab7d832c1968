// What whoever runs a server does about accounts of others, and about the keys of its own: cull, prune, refresh, rotate.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { countCullable, cullAccounts } from '#domain/maintenance/deletion/cull-accounts.ts'
import { countPrunable, ownParts, pruneAccounts } from '#domain/maintenance/deletion/prune-accounts.ts'
import { listNotAllowed, purgeHostByStaff } from '#domain/maintenance/deletion/purge-host.ts'
import { refreshAccounts } from '#domain/federation/queue/refresh-accounts.ts'
import { rotateAllKeys, rotateKeys } from '#domain/federation/queue/rotate-keys.ts'
import type { Json } from '#test/client/client.ts'
import { days, minutes } from '#test/app/clock.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import { arriveWanted } from '#test/people/remote-statuses.ts'
import { asId, type AccountId } from '#lib/id.ts'

const network = useNetwork()

type Person = Awaited<ReturnType<NetworkServer['person']>>

/** The id here of an actor elsewhere, who is met by this. */
async function meet(app: NetworkServer, viewer: Person, actor: PeerActor): Promise<string> {
  const found = await app.find(viewer, actor.handle)
  await app.settle()
  return found.id as string
}

const isKnown = async (app: NetworkServer, id: string) =>
  (await sql`select 1 from accounts where id = ${id}`.execute(app.ctx.db)).rows.length > 0

async function audited(app: NetworkServer): Promise<Json> {
  const { rows } = await sql<Json>`
    select actor, action, target_type, target_label, details from audit_log order by id desc limit 1`.execute(
    app.ctx.db,
  )
  return rows[0]
}

async function collect(items: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const item of items) all.push(item)
  return all
}

const pathOf = (uri: string) => new URL(uri).pathname

describe('cull', () => {
  test('removes accounts that are gone, and only those', async () => {
    const app = await network.server()
    const [peer, away] = [await network.peer('127.0.0.2'), await network.peer('127.0.0.3')]
    const alice = await app.person('alice')
    const names = ['gone', 'lost', 'there', 'odd', 'refused'] as const
    const actors = await Promise.all(names.map((name) => peer.actor(name)))
    const ids = new Map<string, string>()
    for (const actor of actors) ids.set(actor.name, await meet(app, alice, actor))
    const far = await meet(app, alice, await away.actor('far'))
    const [gone, lost, , odd, refused] = actors as [PeerActor, PeerActor, PeerActor, PeerActor, PeerActor]
    const status = await arriveWanted(app, gone, gone.note('last words'))
    peer.gone(pathOf(gone.uri))
    // Neither the actor nor its handle is there; of the other one only the actor is not.
    peer.remove(pathOf(lost.uri))
    peer.finger(`acct:${lost.handle}`, null)
    peer.remove(pathOf(odd.uri))
    peer.put(pathOf(refused.uri), {}, { status: 403 })
    await away.goAway()
    expect(await cullAccounts(app.ctx, 'operator')).toEqual({ checked: 0, culled: [], unreachable: [] })
    await network.advance(days(8))
    const domains = [peer.domain, away.domain]
    expect(await countCullable(app.ctx, domains)).toBe(6)
    const dry = await cullAccounts(app.ctx, 'operator', { domains, dryRun: true })
    expect(dry.culled.toSorted()).toEqual([gone.handle, lost.handle])
    expect(await isKnown(app, ids.get('gone') as string)).toBe(true)
    let done = 0
    const options = { domains, concurrency: 2, onDone: () => void (done += 1) }
    const result = await cullAccounts(app.ctx, 'operator', options)
    expect(result).toMatchObject({ checked: 5, unreachable: [away.domain] })
    expect(result.culled.toSorted()).toEqual([gone.handle, lost.handle])
    expect(done).toBe(6)
    await app.settle()
    const known = await Promise.all(names.map((name) => isKnown(app, ids.get(name) as string)))
    expect(known).toEqual([false, false, true, true, true])
    expect(await isKnown(app, far)).toBe(true)
    expect((await alice.get(`/api/v1/statuses/${status}`)).status).toBe(404)
    expect(await audited(app)).toMatchObject({ actor: 'operator', action: 'cull', details: { removed: 2 } })
  })

  test('leaves those about whom a report is open, and lets one that comes back be met again', async () => {
    const app = await network.server()
    const peer = await network.peer('127.0.0.4')
    const alice = await app.person('alice')
    const [reported, back] = [await peer.actor('reported'), await peer.actor('back')]
    const id = await meet(app, alice, reported)
    await meet(app, alice, back)
    ;(await alice.post('/api/v1/reports', { account_id: id })).ok()
    await app.settle()
    const document = back.document()
    for (const actor of [reported, back]) peer.gone(pathOf(actor.uri))
    await network.advance(days(8))
    const { culled } = await cullAccounts(app.ctx, 'operator', { domains: [peer.domain] })
    expect(culled).toEqual([back.handle])
    expect(await isKnown(app, id)).toBe(true)
    peer.put(pathOf(back.uri), document)
    await network.advance(days(1))
    expect(await app.find(alice, back.handle)).toMatchObject({ acct: back.handle })
  })

  test('a server that was given up is not asked at all', async () => {
    const app = await network.server()
    const peer = await network.peer('127.0.0.5')
    await meet(app, await app.person('alice'), await peer.actor('quiet'))
    await sql`update hosts set failed_days = 7, failures = 20 where host = ${peer.domain}`.execute(app.ctx.db)
    await network.advance(days(8))
    const before = peer.connections
    const result = await cullAccounts(app.ctx, 'operator', { domains: [peer.domain] })
    expect(result).toEqual({ checked: 0, culled: [], unreachable: [peer.domain] })
    expect(peer.connections).toBe(before)
  })
})

describe('prune', () => {
  test('removes accounts with which nothing here has to do', async () => {
    const app = await network.server()
    const peer = await network.peer('127.0.0.6')
    const alice = await app.person('alice')
    const names = ['met', 'followed', 'named', 'reported', 'author', 'limited', 'bot'] as const
    const ids = new Map<string, string>()
    for (const name of names) {
      const actor = await peer.actor(name, name === 'bot' ? { type: 'Service' } : {})
      ids.set(name, await meet(app, alice, actor))
      if (name === 'named') await alice.say(`@${actor.handle} hello`)
      if (name === 'author') await arriveWanted(app, actor, actor.note('here'))
    }
    const id = (name: (typeof names)[number]) => ids.get(name) as string
    ;(await alice.post(`/api/v1/accounts/${id('followed')}/follow`)).ok()
    ;(await alice.post('/api/v1/reports', { account_id: id('reported') })).ok()
    await sql`update accounts set silenced_at = now() where id = ${id('limited')}`.execute(app.ctx.db)
    await app.settle()
    // Whoever was met within a day stays.
    await pruneAccounts(app.ctx, 'operator')
    expect(await isKnown(app, id('met'))).toBe(true)
    await network.advance(days(2))
    expect(await countPrunable(app.ctx)).toBeGreaterThanOrEqual(5)
    expect(await pruneAccounts(app.ctx, 'operator', { dryRun: true })).toBe(1)
    expect(await isKnown(app, id('met'))).toBe(true)
    expect(await pruneAccounts(app.ctx, 'operator')).toBe(1)
    const known = await Promise.all(names.map((name) => isKnown(app, id(name))))
    expect(known).toEqual([false, true, true, true, true, true, true])
    expect(await audited(app)).toMatchObject({ action: 'prune', details: { removed: 1 } })
    expect(await pruneAccounts(app.ctx, 'operator')).toBe(0)
  })

  test('what every account has by itself is no reason to keep one, and such columns are there', async () => {
    const app = await network.server()
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_name || '.' || column_name = any(${ownParts}::text[])`.execute(app.ctx.db)
    expect(rows.map((row) => row.name).toSorted()).toEqual(ownParts.toSorted())
  })
})

describe('refresh', () => {
  test('reads accounts again, whatever their age', async () => {
    const app = await network.server()
    const [peer, away] = [await network.peer('127.0.0.7'), await network.peer('127.0.0.8')]
    const alice = await app.person('alice')
    const actors = await Promise.all(['ann', 'ben'].map((name) => peer.actor(name)))
    const ids: string[] = []
    for (const actor of actors) ids.push(await meet(app, alice, actor))
    for (const name of ['one', 'two', 'three', 'four', 'five']) await meet(app, alice, await away.actor(name))
    const nameOf = async (index: number) =>
      (await alice.get(`/api/v1/accounts/${ids[index]}`)).ok().display_name
    for (const actor of actors) actor.change({ name: `New ${actor.name}` })
    await network.advance(1_000)
    const dry = await refreshAccounts(app.ctx, { domain: peer.domain }, { dryRun: true })
    expect(dry).toEqual({ refreshed: 2, failed: 0, unreachable: [] })
    expect(await nameOf(0)).not.toBe('New ann')
    const one = await refreshAccounts(app.ctx, { ids: [asId<AccountId>(ids[0] as string)] })
    expect([one.refreshed, await nameOf(0), await nameOf(1)]).toEqual([
      1,
      'New ann',
      expect.not.stringMatching(/New/),
    ])
    await network.advance(1_000)
    await refreshAccounts(app.ctx, { domain: peer.domain })
    expect(await nameOf(1)).toBe('New ben')
    await away.goAway()
    const before = away.connections
    const lost = await refreshAccounts(app.ctx, { domain: away.domain }, { concurrency: 1 })
    expect(lost).toEqual({ refreshed: 0, failed: 3, unreachable: [away.domain] })
    expect(away.connections).toBe(before)
  })
})

describe('purge', () => {
  test('by staff leaves a row in the log, and in limited federation all that are not allowed can be named', async () => {
    const app = await network.server('limited', { env: { LIMITED_FEDERATION_MODE: 'true' } })
    for (const domain of ['friend.example', 'other.example'])
      await sql`
        insert into accounts (id, username, domain) values (${app.ctx.newId()}, 'x', ${domain})`.execute(
        app.ctx.db,
      )
    await sql`insert into domain_allows (id, domain) values (1, 'friend.example')`.execute(app.ctx.db)
    expect(await collect(listNotAllowed(app.ctx))).toEqual(['other.example'])
    const dry = await purgeHostByStaff(app.ctx, 'operator', 'other.example', { dryRun: true })
    expect(dry).toEqual({ domain: 'other.example', accounts: 1, emojis: 0 })
    expect(await audited(app)).toBeUndefined()
    await purgeHostByStaff(app.ctx, 'operator', 'Other.example')
    expect(await audited(app)).toMatchObject({ action: 'purge', target_label: 'other.example' })
    expect(await collect(listNotAllowed(app.ctx))).toEqual([])
    await expect(purgeHostByStaff(app.ctx, 'operator', app.domain)).rejects.toThrow('of this server')
    const open = await network.server()
    await expect(collect(listNotAllowed(open.ctx))).rejects.toThrow('LIMITED_FEDERATION_MODE')
  })
})

describe('rotate', () => {
  test('gives an account new keys, and others believe it by them at once', async () => {
    // Of the others the clocks are ahead by now.
    const [app, second] = [await network.server('third'), await network.server('second')]
    const [alice, bob] = [await app.person('alice'), await second.person('bob')]
    const known = await second.find(bob, app.handleOf(alice))
    ;(await bob.post(`/api/v1/accounts/${known.id}/follow`)).ok()
    await network.settleAll()
    const keysOf = async () => {
      const { rows } = await sql<{ pem: string }>`
        select pem from remote_keys where account_id = ${known.id} order by key_id`.execute(second.ctx.db)
      return rows.map((row) => row.pem)
    }
    const before = await keysOf()
    // A key that has just been read is not read again for some minutes.
    await network.advance(minutes(10))
    await rotateKeys(app.ctx, 'operator', alice.accountId)
    await network.settleAll()
    const after = await keysOf()
    expect(after).toHaveLength(before.length)
    expect(after).not.toEqual(before)
    expect(await audited(app)).toMatchObject({ action: 'rotate_keys', target_label: alice.username })
    await alice.say('by the new key')
    await network.settleAll()
    const home = (await bob.get('/api/v1/timelines/home')).ok()
    expect(home.map((one: Json) => one.content)).toContain('<p>by the new key</p>')
    await expect(rotateKeys(app.ctx, 'operator', known.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('of all accounts', async () => {
    const app = await network.server('limited')
    await Promise.all([app.person('carol'), app.person('dan')])
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from accounts where domain is null`.execute(app.ctx.db)
    let done = 0
    expect(await rotateAllKeys(app.ctx, 'operator', () => void (done += 1))).toBe(rows[0]?.count)
    expect(done).toBe(rows[0]?.count)
  })
})
