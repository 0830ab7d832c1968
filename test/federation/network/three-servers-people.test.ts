// Three servers: people follow, refuse, block and report each other, change and move.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteLocalAccount } from '#domain/maintenance/deletion/delete-account.ts'
import {
  arrived,
  befriend,
  citizen,
  meet,
  relationOf,
  toldOf,
  toward,
  urisOf,
  type Citizen,
} from '#test/people/citizens.ts'
import type { Json } from '#test/client/client.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import { isNight } from '#test/run/night.ts'

const network = useNetwork()
let [home, away, third]: NetworkServer[] = []
let alice: Citizen, bob: Citizen, dan: Citizen

beforeAll(async () => {
  ;[home, away, third] = [
    await network.server(),
    await network.server('second'),
    await network.server('third'),
  ]
})

beforeEach(async () => {
  ;[alice, bob, dan] = [
    await citizen(home!, 'alice'),
    await citizen(away!, 'bob'),
    await citizen(third!, 'dan'),
  ]
})

const change = async (who: Citizen, profile: object): Promise<Json> =>
  (await who.patch('/api/v1/accounts/update_credentials', { ...profile })).ok()
const handlesOf = async (who: Citizen, path: string): Promise<string[]> =>
  ((await who.get(path)).ok() as Json[]).map((account) => account.acct)
const followersOf = (who: Citizen) => handlesOf(who, `/api/v1/accounts/${who.accountId}/followers`)

describe('a follow', () => {
  test('of an open account is established on both sides, and ended [6-15] [6-16]', async () => {
    await toward(bob, 'follow', alice)
    await network.settleAll()
    expect(await relationOf(bob, alice)).toMatchObject({ following: true, requested: false })
    expect(await relationOf(alice, bob)).toMatchObject({ followed_by: true, following: false })
    expect(await followersOf(alice)).toEqual([bob.handle])
    expect(await toldOf(alice)).toEqual([`follow ${bob.handle}`])
    await toward(bob, 'unfollow', alice)
    await network.settleAll()
    expect(await relationOf(bob, alice)).toMatchObject({ following: false, requested: false })
    expect(await followersOf(alice)).toEqual([])
    const status = await alice.say('anybody?')
    await network.settleAll()
    expect(await arrived(bob, status)).toBeNull()
  })

  test('of a locked account waits for the consent [3-13] [6-17]', async () => {
    await change(alice, { locked: true })
    await toward(bob, 'follow', alice)
    await network.settleAll()
    expect(await relationOf(bob, alice)).toMatchObject({ following: false, requested: true })
    expect(await toldOf(alice)).toEqual([`follow_request ${bob.handle}`])
    expect(await handlesOf(alice, '/api/v1/follow_requests')).toEqual([bob.handle])
    const { id } = await meet(alice, bob)
    ;(await alice.post(`/api/v1/follow_requests/${id}/authorize`)).ok()
    await network.settleAll()
    expect(await relationOf(bob, alice)).toMatchObject({ following: true, requested: false })
    const status = await alice.say('welcome', { visibility: 'private' })
    await network.settleAll()
    expect(await urisOf(bob, '/api/v1/timelines/home')).toContain(status.uri)
  })

  test('of a locked account is refused [3-15] [6-18]', async () => {
    await change(alice, { locked: true })
    await toward(bob, 'follow', alice)
    await network.settleAll()
    const { id } = await meet(alice, bob)
    ;(await alice.post(`/api/v1/follow_requests/${id}/reject`)).ok()
    await network.settleAll()
    expect(await relationOf(bob, alice)).toMatchObject({ following: false, requested: false })
    expect(await handlesOf(alice, '/api/v1/follow_requests')).toEqual([])
  })

  test.runIf(isNight)('is taken back before anybody answered', async () => {
    await change(alice, { locked: true })
    await toward(bob, 'follow', alice)
    await network.settleAll()
    await toward(bob, 'unfollow', alice)
    await network.settleAll()
    expect(await handlesOf(alice, '/api/v1/follow_requests')).toEqual([])
  })

  test.runIf(isNight)('is ended by who is followed', async () => {
    await befriend(bob, alice)
    await toward(alice, 'remove_from_followers', bob)
    await network.settleAll()
    expect(await relationOf(bob, alice)).toMatchObject({ following: false })
    expect(await followersOf(alice)).toEqual([])
  })

  test('of the whole server is ended by who hides it, and of no other [3-16] [3-17]', async () => {
    await befriend(bob, alice)
    await befriend(dan, alice)
    await befriend(alice, bob)
    ;(await alice.post('/api/v1/domain_blocks', { domain: away!.domain })).ok()
    await network.settleAll()
    expect(await relationOf(bob, alice)).toMatchObject({ following: false, followed_by: false })
    expect(await relationOf(dan, alice)).toMatchObject({ following: true })
    expect(await followersOf(alice)).toEqual([dan.handle])
  })

  test('brings what was written before, as far as it is shown on the profile', async () => {
    const status = await alice.say('long before')
    await befriend(bob, alice)
    await network.settleAll()
    const { id } = await meet(bob, alice)
    expect(await urisOf(bob, `/api/v1/accounts/${id}/statuses`)).toContain(status.uri)
  })
})

describe('a block', () => {
  test('ends follows both ways and keeps the other one out [6-13]', async () => {
    await befriend(bob, alice)
    await befriend(alice, bob)
    await toward(alice, 'block', bob)
    await network.settleAll()
    expect(await relationOf(bob, alice)).toMatchObject({ following: false, followed_by: false })
    await bob.post(`/api/v1/accounts/${(await meet(bob, alice)).id}/follow`)
    await network.settleAll()
    expect(await followersOf(alice)).toEqual([])
    expect((await relationOf(bob, alice)).following).toBe(false)
    const status = await alice.say('without you')
    await network.settleAll()
    expect(await arrived(bob, status)).toBeNull()
    // Nobody is told who blocked FED-28.
    expect((await toldOf(bob)).filter((told) => !told.startsWith('follow '))).toEqual([])
  })

  test('is lifted: then following works again [6-14]', async () => {
    await toward(alice, 'block', bob)
    await network.settleAll()
    await toward(alice, 'unblock', bob)
    await network.settleAll()
    await befriend(bob, alice)
    expect(await relationOf(bob, alice)).toMatchObject({ following: true })
    expect(await followersOf(alice)).toEqual([bob.handle])
  })
})

describe('an account', () => {
  test('that changes is seen changed by its followers [6-20]', async () => {
    await befriend(bob, alice)
    const profile = {
      display_name: 'Alice in Chains',
      note: 'I grow #gardens',
      bot: true,
      locked: true,
      fields_attributes: [{ name: 'Site', value: 'https://alice.example' }],
    }
    await change(alice, profile)
    await network.settleAll()
    const { accounts } = (await bob.get('/api/v2/search', { q: alice.uri, type: 'accounts' })).ok()
    expect(accounts[0]).toMatchObject({
      display_name: 'Alice in Chains',
      note: expect.stringContaining('I grow'),
      bot: true,
      locked: true,
      fields: [{ name: 'Site', value: expect.stringContaining('https://alice.example') }],
    })
  })

  test('that is suspended is gone from the other servers while it is', async () => {
    await befriend(bob, alice)
    const status = await alice.say('hello')
    await network.settleAll()
    const { id } = await meet(bob, alice)
    const setSuspended = (suspended_at: Date | null) =>
      home!.ctx.transaction(async (tx) => {
        await tx.db.updateTable('accounts').set({ suspended_at }).where('id', '=', alice.accountId).execute()
        await tx.emit({ type: 'account.updated', accountId: alice.accountId })
      })
    await setSuspended(new Date())
    await network.settleAll()
    expect((await bob.get(`/api/v1/accounts/${id}`)).status).toBe(410)
    expect(await arrived(bob, status)).toBeNull()
    await setSuspended(null)
    await network.settleAll()
    expect((await bob.get(`/api/v1/accounts/${id}`)).ok()).toMatchObject({ acct: alice.handle })
    expect(await arrived(bob, status)).not.toBeNull()
  })
})

test('an account that is deleted is gone everywhere, for good [ACC-17]', async () => {
  await befriend(bob, alice)
  await befriend(alice, bob)
  const status = await alice.say('farewell')
  await network.settleAll()
  const { id } = await meet(bob, alice)
  await deleteLocalAccount(home!.ctx, alice.accountId)
  await network.settleAll()
  expect([404, 410]).toContain((await bob.get(`/api/v1/accounts/${id}`)).status)
  expect(await arrived(bob, status)).toBeNull()
  expect(await followersOf(bob)).toEqual([])
  expect(await toldOf(bob)).toEqual([])
  const headers = { accept: 'application/activity+json' }
  for (const uri of [alice.uri, status.uri, `${alice.uri}/outbox`])
    expect([uri, (await home!.fetch(new URL(uri).pathname, { headers })).status]).toEqual([uri, 410])
  const resource = `/.well-known/webfinger?resource=acct:${alice.handle}`
  expect((await home!.fetch(resource)).status).toBe(410)
  for (const who of [bob, dan]) {
    for (const uri of [alice.uri, status.uri]) expect((await who.server.find(who, uri))?.uri).not.toBe(uri)
  }
})

describe('a report', () => {
  test('is passed on to the other server without a word about who made it [4-56] [4-57]', async () => {
    await home!.person('boss', { role: 'Owner' })
    const status = await alice.say('bad')
    await befriend(bob, alice)
    const [about, post] = [await meet(bob, alice), await away!.find(bob, status.uri)]
    const report = { account_id: about.id, status_ids: [post.id], comment: 'please look', category: 'spam' }
    const sent = { ...report, forward: true, forward_to_domains: [home!.domain] }
    expect((await bob.post('/api/v1/reports', sent)).ok()).toMatchObject({
      forwarded: true,
      category: 'spam',
    })
    await network.settleAll()
    const { rows } = { rows: await reportsOn(home!, alice) }
    expect(rows).toMatchObject([{ comment: 'please look', status_ids: [status.id] }])
    expect(JSON.stringify(rows)).not.toContain(bob.username)
    expect(home!.mails.some((mail) => JSON.stringify(mail).includes(bob.username))).toBe(false)
  })

  test.runIf(isNight)('stays here unless that is asked for', async () => {
    const about = await meet(bob, alice)
    ;(await bob.post('/api/v1/reports', { account_id: about.id, comment: 'only for us' })).ok()
    await network.settleAll()
    expect(await reportsOn(home!, alice)).toEqual([])
  })
})

const reportsOn = ({ ctx }: NetworkServer, target: Citizen): Promise<Json[]> =>
  ctx.db
    .selectFrom('reports')
    .innerJoin('accounts', 'accounts.id', 'reports.account_id')
    .select(['reports.comment', 'reports.status_ids', 'accounts.username', 'accounts.domain'])
    .where('target_account_id', '=', target.accountId)
    .execute()
