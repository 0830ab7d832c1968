import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { assignRole } from '#domain/identity/roles/assign-role.ts'
import { updateRole } from '#domain/identity/roles/edit-role.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { findIntruders } from '#test/client/staff-only.ts'
import { asId, type RoleId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/admin/roles'
const everyone = `${path}/-99`

const staff = (role: 'Owner' | 'Admin' = 'Owner') => app.person('staff', { role })
const roleOf = async (admin: Person, values: Record<string, unknown>): Promise<Json> =>
  (await admin.post(path, { name: 'Helper', position: 20, ...values })).ok()

/** What others see of somebody's role. */
const shownRoles = async (person: Person) =>
  (await app.anonymous.get(`/api/v1/accounts/${person.accountId}`)).ok().roles

describe('roles', () => {
  test('are made, shown, changed and deleted, and each time it is written down', async () => {
    const owner = await staff()
    const made = await roleOf(owner, {
      name: ' Herald ',
      color: '#FF8800',
      permissions: ['manage_announcements', 'manage_rules'],
      highlighted: true,
      require_2fa: 'true',
      collection_limit: 3,
    })
    expect(made).toMatchObject({
      name: 'Herald',
      color: '#ff8800',
      permissions: String(0x2000 + 0x1000),
      permission_names: ['manage_rules', 'manage_announcements'],
      position: 20,
      highlighted: true,
      require_2fa: true,
      collection_limit: 3,
    })
    expect((await owner.get(`${path}/${made.id}`)).ok()).toEqual(made)
    const changed = (await owner.put(`${path}/${made.id}`, { permissions: '1024', color: '' })).ok()
    expect(changed).toMatchObject({ name: 'Herald', color: '', permissions: '1024', highlighted: true })
    const list: Json[] = (await owner.get(path)).ok()
    expect(list.map((role) => role.name)).toEqual(['Owner', 'Admin', 'Herald', 'Moderator', ''])
    expect((await owner.delete(`${path}/${made.id}`)).ok()).toEqual({})
    expect((await owner.get(`${path}/${made.id}`)).status).toBe(404)
    const { rows } = await sql<{ action: string; target_label: string }>`
      select action, target_label from audit_log
      where target_type = 'user_role' and target_id = ${made.id} and account_id = ${owner.accountId} order by id`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual(
      ['create', 'update', 'destroy'].map((action) => ({ action, target_label: 'Herald' })),
    )
  })

  test.each([
    [{ name: '' }, "Name can't be blank"],
    [{ name: 'x'.repeat(101) }, 'Name is too long'],
    [{ color: 'red' }, 'Color is invalid'],
    [{ color: '#12345' }, 'Color is invalid'],
    [{ position: 1000 }, 'Position is not between 0 and 999'],
    [{ permissions: '8388608' }, 'Permissions is invalid'],
    [{ permissions: ['manage_everything'] }, 'Permissions has no "manage_everything"'],
  ])('cannot be %j', async (values, problem) => {
    const answer = await (await staff()).post(path, { name: 'Helper', position: 20, ...values })
    expect([answer.status, answer.body.error]).toEqual([422, `Validation failed: ${problem}`])
  })

  test('are for those who may manage them [ACC-9]', async () => {
    const calls = [
      ['get', path],
      ['get', `${path}/1`],
      ['post', path],
      ['put', `${path}/1`],
      ['delete', `${path}/1`],
      ['put', '/api/v1/admin/accounts/1/role'],
      ['delete', '/api/v1/admin/accounts/1/role'],
    ] as const
    expect(await findIntruders(app, calls, 'roles order')).toEqual([])
  })
})

describe('nobody', () => {
  test('grants what they lack, or rises above themselves [ACC-9]', async () => {
    const owner = await staff()
    const manager = await app.person('manager')
    const own = await roleOf(owner, { name: 'Manager', position: 50, permissions: ['manage_roles'] })
    await assignRole(app.ctx, 'operator', manager.accountId, own.id)
    const refusals = [
      await manager.post(path, { name: 'x', position: 5, permissions: ['manage_users'] }),
      await manager.post(path, { name: 'x', position: 5, permissions: '1' }),
      await manager.post(path, { name: 'x', position: 50 }),
      await manager.post(path, { name: 'x', position: 60 }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([422, 422, 422, 422])
    const lower = (await manager.post(path, { name: 'Lower', position: 5, permissions: '131072' })).ok()
    expect((await manager.put(`${path}/${lower.id}`, { position: 50 })).status).toBe(422)
    // What others gave stays, but is not theirs to give or take.
    await updateRole(app.ctx, 'operator', asId<RoleId>(lower.id), {
      permissions: ['manage_users', 'manage_roles'],
    })
    expect((await manager.put(`${path}/${lower.id}`, { name: 'Renamed' })).ok()).toMatchObject({
      permission_names: ['manage_users', 'manage_roles'],
    })
    expect((await manager.put(`${path}/${lower.id}`, { permissions: '131072' })).status).toBe(422)
  })

  test('touches roles at or above their own, nor their own [ACC-9]', async () => {
    const admin = await staff('Admin')
    const peers = await roleOf(await staff(), { name: 'Peer', position: 100 })
    for (const id of ['3', '2', peers.id]) {
      const statuses = [
        (await admin.put(`${path}/${id}`, { name: 'x' })).status,
        (await admin.delete(`${path}/${id}`)).status,
      ]
      expect([id, ...statuses]).toEqual([id, 403, 403])
    }
    const owner = await staff()
    expect((await owner.put(`${path}/3`, { name: 'x' })).status).toBe(403)
    await expect(
      updateRole(app.ctx, 'operator', asId<RoleId>('3'), { permissions: '0' }),
    ).rejects.toMatchObject({
      code: 'invalid',
    })
  })

  test('lets everybody do the work of staff', async () => {
    const owner = await staff()
    expect((await owner.put(everyone, { permissions: ['invite_users', 'view_feeds'] })).ok()).toMatchObject({
      id: '-99',
      permission_names: ['invite_users', 'view_feeds'],
    })
    for (const values of [
      { permissions: ['manage_users'] },
      { permissions: '1' },
      { name: 'Folk' },
      { position: 5 },
      { require_2fa: true },
    ])
      expect((await owner.put(everyone, values)).status).toBe(422)
    expect((await owner.delete(everyone)).status).toBe(422)
    ;(await owner.put(everyone, { permissions: ['invite_users'] })).ok()
  })
})

describe('a role is given', () => {
  const roleFor = ({ accountId }: Person) => `/api/v1/admin/accounts/${accountId}/role`

  test('to those below, and shown with them', async () => {
    const owner = await staff()
    const bob = await app.person('bob')
    const role = await roleOf(owner, { name: 'Star', color: '#00ff00', highlighted: true })
    expect(await shownRoles(bob)).toEqual([])
    const answer = (await owner.put(roleFor(bob), { role_id: role.id })).ok()
    expect(answer).toMatchObject({ id: bob.accountId, role: { id: role.id, name: 'Star' } })
    const shown = { id: role.id, name: 'Star', color: '#00ff00' }
    expect(await shownRoles(bob)).toEqual([shown])
    ;(await owner.put(`${path}/${role.id}`, { color: '#0000ff' })).ok()
    await app.settle()
    expect(await shownRoles(bob)).toEqual([{ ...shown, color: '#0000ff' }])
    ;(await owner.put(`${path}/${role.id}`, { highlighted: false })).ok()
    await app.settle()
    expect(await shownRoles(bob)).toEqual([])
    expect((await owner.delete(roleFor(bob))).ok().role).toMatchObject({ id: '-99' })
  })

  test('and gone with the role', async () => {
    const owner = await staff()
    const carol = await app.person('carol')
    const role = await roleOf(owner, { name: 'Short', highlighted: true })
    ;(await owner.put(roleFor(carol), { role_id: role.id })).ok()
    expect(await shownRoles(carol)).toHaveLength(1)
    ;(await owner.delete(`${path}/${role.id}`)).ok()
    expect(await shownRoles(carol)).toEqual([])
    const me = (await carol.get('/api/v1/accounts/verify_credentials')).ok()
    expect(me.role.id).toBe('-99')
  })

  test('only by those who may do all that it allows [ACC-9]', async () => {
    const owner = await staff()
    const [manager, ally] = [await app.person('manager'), await app.person('ally')]
    const own = await roleOf(owner, { position: 50, permissions: ['manage_roles', 'manage_rules'] })
    await assignRole(app.ctx, 'operator', manager.accountId, own.id)
    const strong = await roleOf(owner, { position: 5, permissions: ['administrator'] })
    const weak = await roleOf(owner, { position: 5, permissions: ['manage_rules'] })
    for (const id of [strong.id, '1'])
      expect((await manager.put(roleFor(ally), { role_id: id })).status).toBe(403)
    expect((await manager.put(roleFor(ally), { role_id: weak.id })).ok().role.id).toBe(weak.id)
  })

  test('never to oneself, to equals, or above oneself [ACC-9]', async () => {
    const [owner, admin, other] = [await staff(), await staff('Admin'), await staff('Admin')]
    const bob = await app.person('bob')
    const cases = [
      [admin, admin, '1'],
      [admin, other, '1'],
      [admin, owner, '1'],
      [admin, bob, '2'],
      [admin, bob, '3'],
      [owner, bob, '3'],
    ] as const
    for (const [by, to, role_id] of cases)
      expect([role_id, (await by.put(roleFor(to), { role_id })).status]).toEqual([role_id, 403])
    expect((await admin.put(roleFor(bob), { role_id: '1' })).ok().role.name).toBe('Moderator')
    expect((await admin.put(roleFor(bob), { role_id: '987654' })).status).toBe(404)
    expect((await admin.put('/api/v1/admin/accounts/987654/role', { role_id: '1' })).status).toBe(404)
    await assignRole(app.ctx, 'operator', bob.accountId, asId<RoleId>('3'))
    expect((await bob.get(path)).status).toBe(200)
  })
})

test('a role says how many collections its people may have', async () => {
  const owner = await staff()
  const dora = await app.person('dora')
  const role = await roleOf(owner, { name: 'Collector', collection_limit: 1 })
  await assignRole(app.ctx, 'operator', dora.accountId, role.id)
  expect((await dora.get('/api/v1/accounts/verify_credentials')).ok().role.collection_limit).toBe(1)
  ;(await dora.post('/api/v1/collections', { name: 'one' })).ok()
  expect((await dora.post('/api/v1/collections', { name: 'two' })).status).toBe(403)
  ;(await owner.put(`${path}/${role.id}`, { collection_limit: 2 })).ok()
  ;(await dora.post('/api/v1/collections', { name: 'two' })).ok()
})
