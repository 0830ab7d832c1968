// Whatever ends what two people of different servers had with each other, both servers agree afterwards that it is over.
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteLocalAccount } from '#domain/maintenance/deletion/delete-account.ts'
import { purgeHostByStaff } from '#domain/maintenance/deletion/purge-host.ts'
import { befriend, citizen, toward, type Citizen } from '#test/people/citizens.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import {
  acquaint,
  agreed,
  bothSidesOf,
  friends,
  standingOf,
  strangers,
  type Acquaintance,
} from '#test/people/standing.ts'
import { isNight } from '#test/run/night.ts'

const network = useNetwork()
const blocks = '/api/v1/admin/domain_blocks'

let home: NetworkServer, away: NetworkServer
let alice: Citizen, bob: Citizen
let admin: Person

beforeEach(async () => {
  ;[home, away] = [await network.server(), await network.server('second')]
  ;[alice, bob] = [await citizen(home, 'alice'), await citizen(away, 'bob')]
  admin = await home.person('admin', { role: 'Admin' })
})

afterEach(async () => {
  await wake()
  const { rows } = await sql<{ id: string }>`select id from domain_blocks`.execute(home.ctx.db)
  for (const { id } of rows) await lift(id)
})

const name = (server: NetworkServer) => server.domain.replace(/:\d+$/, '')

async function block(severity: 'suspend' | 'silence'): Promise<string> {
  const { id } = (await admin.post(blocks, { domain: name(away), severity })).ok()
  await network.settleAll()
  return id
}

async function lift(id: string): Promise<void> {
  ;(await admin.delete(`${blocks}/${id}`)).ok()
  await network.settleAll()
}

/** Has nothing sent to a server, as if it were away, until `wake`. */
async function rest({ domain }: NetworkServer): Promise<void> {
  const tomorrow = new Date(home.clock.now() + 86_400_000)
  await sql`
    insert into hosts (host, deliver_at, leased_until) values (${domain}, ${tomorrow}, ${tomorrow})
    on conflict (host) do update set deliver_at = excluded.deliver_at, leased_until = excluded.leased_until`.execute(
    home.ctx.db,
  )
}

const wake = () =>
  sql`update hosts set deliver_at = ${new Date(home.clock.now())}, leased_until = null`.execute(home.ctx.db)

async function act(id: string, what: string): Promise<void> {
  ;(
    await admin.post(`/api/v1/admin/accounts/${id}/${what}`, what === 'action' ? { type: 'suspend' } : {})
  ).ok()
  await network.settleAll()
}

const lock = async (who: Citizen) =>
  (await who.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()

async function befriended(): Promise<Acquaintance> {
  const both = await acquaint(alice, bob)
  await network.settleAll()
  expect(await bothSidesOf(both)).toEqual(agreed(friends))
  return both
}

/** Each asks the other one, who has not answered. */
async function waiting(): Promise<Acquaintance> {
  await lock(alice)
  await lock(bob)
  const both = await acquaint(alice, bob)
  await network.settleAll()
  expect(await bothSidesOf(both)).toEqual(agreed({ ...strangers, requested: true, requested_by: true }))
  return both
}

describe('a server that is suspended by another one', () => {
  test('ends follows on both servers, and they can be begun anew when the block is lifted', async () => {
    const both = await befriended()
    const id = await block('suspend')
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
    await lift(id)
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
    await befriend(alice, bob)
    await befriend(bob, alice)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(friends))
  })

  test.runIf(isNight)('ends requests that nobody had answered on both servers', async () => {
    const both = await waiting()
    const id = await block('suspend')
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
    await lift(id)
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
  })

  test.runIf(isNight)('hears of it also when it was away, after which it is told nothing else', async () => {
    const both = await befriended()
    const inbox = `${away.baseUrl}%`
    await rest(away)
    await alice.say('for my followers')
    await block('suspend')
    const { rows } = await sql<{ type: string }>`
      select (o.body::json)->>'type' as type from deliveries d join outgoing_activities o on o.id = d.activity_id
      where d.inbox_url like ${inbox} order by 1`.execute(home.ctx.db)
    expect(rows.map(({ type }) => type)).toEqual(['Reject', 'Undo'])
    await wake()
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
  })

  test('still hears of what was ended right before the block', async () => {
    const both = await befriended()
    await toward(alice, 'unfollow', bob)
    await toward(alice, 'remove_from_followers', bob)
    await block('suspend')
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
  })

  test('is told of each of many follows, which end in several steps', async () => {
    const { bobId } = await acquaint(alice, bob, { mutual: false })
    const fans = 250
    await sql`
      with people as (
        insert into accounts (id, username) select ${home.ctx.newId()}::bigint + n, 'fan' || n from generate_series(1, ${fans}::int) n
        returning id)
      insert into follows (id, account_id, target_account_id, uri)
      select id, id, ${bobId}, 'https://chat.example/follows/' || id from people`.execute(home.ctx.db)
    await rest(away)
    await block('suspend')
    const { rows } = await sql<{ senders: number; kinds: string[] }>`
      select count(distinct o.account_id)::int as senders, array_agg(distinct (o.body::json)->>'type') as kinds
      from deliveries d join outgoing_activities o on o.id = d.activity_id`.execute(home.ctx.db)
    expect(rows).toEqual([{ senders: fans, kinds: ['Undo'] }])
    await sql`delete from deliveries`.execute(home.ctx.db)
  })

  test.runIf(isNight)('is told by the command line and by a list as by the admin API', async () => {
    const { createHostBlock } = await import('#domain/trust/moderation/hosts/host-blocks.ts')
    for (const staff of ['operator', 'server'] as const) {
      const both = await acquaint(await citizen(home, 'alice'), await citizen(away, 'bob'))
      await network.settleAll()
      const made = await createHostBlock(home.ctx, staff, name(away), { severity: 'suspend' })
      await network.settleAll()
      expect(await bothSidesOf(both)).toEqual(agreed(strangers))
      if (made.kind === 'created') await lift(made.block.id)
    }
  })
})

test('a server that is limited loses no follow', async () => {
  const both = await befriended()
  const id = await block('silence')
  expect(await bothSidesOf(both)).toEqual(agreed(friends))
  await lift(id)
  expect(await bothSidesOf(both)).toEqual(agreed(friends))
})

describe('a person', () => {
  test('blocks and unblocks another one', async () => {
    const both = await befriended()
    await toward(alice, 'block', bob)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
    await toward(alice, 'unblock', bob)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
    await befriend(bob, alice)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed({ ...strangers, followed_by: true }))
  })

  test.runIf(isNight)('blocks one who had asked, and whom they had asked', async () => {
    const both = await waiting()
    await toward(alice, 'block', bob)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
  })

  test('unblocks another one while the server is suspended', async () => {
    const both = await befriended()
    await toward(alice, 'block', bob)
    await network.settleAll()
    const id = await block('suspend')
    ;(await alice.post(`/api/v1/accounts/${both.bobId}/unblock`)).ok()
    await network.settleAll()
    await lift(id)
    await befriend(bob, alice)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed({ ...strangers, followed_by: true }))
  })

  test('hides the server of another one, and shows it again', async () => {
    const both = await befriended()
    ;(await alice.post('/api/v1/domain_blocks', { domain: away.domain })).ok()
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
    ;(await alice.delete('/api/v1/domain_blocks', { domain: away.domain })).ok()
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
  })

  test.runIf(isNight)('hides the server of one who had asked, and whom they had asked', async () => {
    const both = await waiting()
    ;(await alice.post('/api/v1/domain_blocks', { domain: away.domain })).ok()
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
  })

  test('removes a follower', async () => {
    const both = await befriended()
    await toward(alice, 'remove_from_followers', bob)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed({ ...strangers, following: true }))
  })

  test('unfollows', async () => {
    const both = await befriended()
    await toward(alice, 'unfollow', bob)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed({ ...strangers, followed_by: true }))
  })

  test.runIf(isNight)('takes a request back, and rejects one', async () => {
    const both = await waiting()
    await toward(alice, 'unfollow', bob)
    ;(await alice.post(`/api/v1/follow_requests/${both.bobId}/reject`)).ok()
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
  })

  test.runIf(isNight)('rejects who had been let in', async () => {
    const both = await waiting()
    ;(await alice.post(`/api/v1/follow_requests/${both.bobId}/authorize`)).ok()
    await network.settleAll()
    await toward(alice, 'remove_from_followers', bob)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed({ ...strangers, requested: true }))
  })
})

describe('an account', () => {
  test('of this server is suspended, and let in again', async () => {
    const both = await befriended()
    await act(alice.accountId, 'action')
    await act(alice.accountId, 'unsuspend')
    expect(await bothSidesOf(both)).toEqual(agreed(friends))
  })

  test('of another server is suspended: it follows nobody, and is followed again when it is let in', async () => {
    const both = await befriended()
    await act(both.bobId, 'action')
    expect(await bothSidesOf(both)).toEqual(agreed({ ...strangers, following: true }))
    await act(both.bobId, 'unsuspend')
    expect(await bothSidesOf(both)).toEqual(agreed({ ...strangers, following: true }))
  })

  test.runIf(isNight)('that was suspended agrees again on what it was not heard of meanwhile', async () => {
    const both = await befriended()
    await act(both.bobId, 'action')
    await toward(bob, 'remove_from_followers', alice)
    await network.settleAll()
    await act(both.bobId, 'unsuspend')
    const { following } = await standingOf(alice, both.bobId)
    expect((await standingOf(bob, both.aliceId)).followed_by).toBe(following)
  })

  test.runIf(isNight)('that was suspended is heard of what it answered meanwhile', async () => {
    await lock(bob)
    const both = await acquaint(alice, bob)
    await network.settleAll()
    await act(both.bobId, 'action')
    ;(await bob.post(`/api/v1/follow_requests/${both.aliceId}/authorize`)).ok()
    await network.settleAll()
    await act(both.bobId, 'unsuspend')
    expect(await bothSidesOf(both)).toEqual(agreed({ ...strangers, following: true }))
  })

  test('of another server is deleted by staff', async () => {
    const both = await befriended()
    await act(both.bobId, 'action')
    ;(await admin.delete(`/api/v1/admin/accounts/${both.bobId}`)).ok()
    await network.settleAll()
    expect(await standingOf(bob, both.aliceId)).toEqual(strangers)
    expect((await alice.get('/api/v1/accounts/verify_credentials')).ok()).toMatchObject({
      followers_count: 0,
      following_count: 0,
    })
  })

  test('of this server is deleted', async () => {
    const both = await befriended()
    await deleteLocalAccount(home.ctx, alice.accountId)
    await network.settleAll()
    expect(await standingOf(bob, both.aliceId)).toEqual(strangers)
    expect((await bob.get('/api/v1/accounts/verify_credentials')).ok()).toMatchObject({
      followers_count: 0,
      following_count: 0,
    })
  })
})

describe('a server that is purged', () => {
  test('is told that follows and requests ended', async () => {
    const both = await befriended()
    const asked = await acquaint(await citizen(home, 'anna'), await citizen(away, 'ben'), { mutual: false })
    await lock(asked.alice)
    await lock(asked.bob)
    await befriend(asked.alice, asked.bob)
    await befriend(asked.bob, asked.alice)
    await network.settleAll()
    await purgeHostByStaff(home.ctx, 'operator', away.domain)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
    expect(await bothSidesOf(asked)).toEqual(agreed(strangers))
  })

  test.runIf(isNight)('is told also while it is suspended', async () => {
    const both = await befriended()
    await admin.post(blocks, { domain: name(away), severity: 'suspend' })
    await purgeHostByStaff(home.ctx, 'operator', away.domain)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
  })

  test.runIf(isNight)('is told when it is no longer allowed where federation is limited', async () => {
    const limited = await network.server('limited', { env: { LIMITED_FEDERATION_MODE: 'true' } })
    const boss = await limited.person('admin', { role: 'Admin' })
    const { id } = (await boss.post('/api/v1/admin/domain_allows', { domain: away.domain })).ok()
    const both = await acquaint(await citizen(limited, 'alice'), bob)
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(friends))
    ;(await boss.delete(`/api/v1/admin/domain_allows/${id}`)).ok()
    await network.settleAll()
    expect(await bothSidesOf(both)).toEqual(agreed(strangers))
  })
})
