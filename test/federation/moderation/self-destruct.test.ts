// A server that takes leave of the fediverse.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeSelfDestruction, selfDestruct } from '#domain/maintenance/deletion/self-destruct.ts'
import type { Json } from '#test/client/client.ts'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()

test('deletes all its accounts, has others forget them, and lets nobody in any more', async () => {
  const [app, other] = [await network.server(), await network.server('other')]
  const [alice, carol, bob] = [
    await app.person('alice'),
    await app.person('carol'),
    await other.person('bob'),
  ]
  const known = await other.find(bob, app.handleOf(alice))
  ;(await bob.post(`/api/v1/accounts/${known.id}/follow`)).ok()
  await network.settleAll()
  const status = await alice.say('farewell')
  await sql`
    insert into invites (id, account_id, code) values (${app.ctx.newId()}, ${alice.accountId}, 'come')`.execute(
    app.ctx.db,
  )
  await network.settleAll()
  expect((await bob.get('/api/v1/timelines/home')).ok()).toHaveLength(1)
  expect(await describeSelfDestruction(app.ctx)).toEqual({ accounts: 2, servers: 1 })

  let done = 0
  expect(await selfDestruct(app.ctx, 'operator', { onDone: () => void (done += 1) })).toBe(true)
  expect(done).toBe(2)
  for (const person of [alice, carol]) expect((await person.get('/api/v1/timelines/home')).status).toBe(401)
  await network.settleAll()
  expect(await describeSelfDestruction(app.ctx)).toMatchObject({ accounts: 0 })
  expect((await bob.get(`/api/v1/accounts/${known.id}`)).status).toBe(404)
  expect((await bob.get('/api/v1/timelines/home')).ok()).toEqual([])
  const headers = { accept: 'application/activity+json' }
  expect((await app.fetch(`/users/${alice.username}`, { headers })).status).toBe(410)
  expect((await app.anonymous.get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
  const instance = (await app.anonymous.get('/api/v2/instance')).ok()
  expect(instance.registrations.enabled).toBe(false)
  const { rows } = await sql<Json>`
    select actor, action, target_label, details from audit_log order by id desc limit 1`.execute(app.ctx.db)
  expect(rows).toEqual([
    { actor: 'operator', action: 'self_destruct', target_label: app.domain, details: { accounts: 2 } },
  ])
  // Again is fine, and there is nothing left to do.
  expect(await selfDestruct(app.ctx, 'operator')).toBe(true)
})

test('one that was ended goes on where it was left, with everybody shut out from the beginning', async () => {
  const app = await network.server('third')
  const people = await Promise.all(['ann', 'ben', 'cem'].map((name) => app.person(name)))
  let done = 0
  const end = () => {
    done += 1
    if (done === 2) throw new Error('killed')
  }
  await expect(selfDestruct(app.ctx, 'operator', { onDone: end })).rejects.toThrow('killed')
  expect(await describeSelfDestruction(app.ctx)).toMatchObject({ accounts: 1 })
  for (const person of people) expect((await person.get('/api/v1/timelines/home')).status).not.toBe(200)
  await selfDestruct(app.ctx, 'operator')
  expect(await describeSelfDestruction(app.ctx)).toMatchObject({ accounts: 0 })
})
