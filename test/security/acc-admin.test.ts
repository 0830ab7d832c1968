// Who may call the operations of staff: every one of them, with every role that lacks just what it asks for.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { permissions, type Permission } from '#domain/identity/accounts/permissions.ts'
import { useApp } from '#test/app/app.ts'
import { createClient } from '#test/client/client.ts'
import { callRoute, nameOf, paramNames, routes, type ListedRoute } from '#test/client/every-route.ts'
import type { Person } from '#test/people/people.ts'
import type { RoleId } from '#lib/id.ts'

const app = useApp()

const isStaffPath = (route: ListedRoute) => /^\/api\/v\d\/admin\//.test(route.path)
const staffRoutes = routes.filter((route) => route.permission !== null || isStaffPath(route))
const neededBy = (route: ListedRoute): readonly Permission[] => [route.permission ?? []].flat()
const bits = (names: readonly Permission[]) => names.reduce((sum, name) => sum | permissions[name], 0n)
const given = (route: ListedRoute) => Object.fromEntries(paramNames(route).map((name) => [name, 'x']))
const refused = { error: 'This action is not allowed' }

/** Statements that find out who calls. */
const asksWhoCalls = (statement: string) => /oauth_tokens|last_active_at|user_activity/.test(statement)

let count = 0
async function personWith(allowed: bigint, scopes?: string[]): Promise<Person> {
  const person = await app.person('staff', scopes ? { scopes } : {})
  const id = app.ctx.newId<RoleId>()
  const role = { id, name: `Role ${++count}`, permissions: String(allowed), position: 50 }
  await app.ctx.db.insertInto('roles').values(role).execute()
  await app.ctx.db.updateTable('users').set({ role_id: id }).where('id', '=', person.userId).execute()
  return person
}

const all = Object.keys(permissions).filter((name) => name !== 'administrator') as Permission[]

interface Caller {
  token: string
  status: number
  body?: unknown
}

/** What each operation answers otherwise than it should, or asks the database before it refuses. */
async function wrongAnswers(list: readonly ListedRoute[], { token, status, body }: Caller) {
  const wrong: unknown[] = []
  for (const route of list) {
    let answer: Awaited<ReturnType<typeof callRoute>> | undefined
    const statements = await app.countQueries(async () => {
      answer = await callRoute(app.fetch, route, { token: token || null, params: given(route) })
    })
    const work = statements.filter((statement) => !asksWhoCalls(statement))
    const said = body === undefined || JSON.stringify(answer?.body) === JSON.stringify(body)
    if (answer?.status !== status || !said || work.length > 0)
      wrong.push([nameOf(route), answer?.status, answer?.body, work])
  }
  return wrong
}

test('every operation of staff names what a role must allow, and its scopes [ACC-9]', () => {
  const open = staffRoutes.filter(
    (route) =>
      neededBy(route).length === 0 ||
      route.auth !== 'user' ||
      route.scopes.length === 0 ||
      route.scopes.some((scope) => !scope.startsWith(route.method === 'GET' ? 'admin:read' : 'admin:')),
  )
  expect(staffRoutes.length).toBeGreaterThan(60)
  expect(open.map(nameOf)).toEqual([])
})

describe('refused before any work [ACC-9]', () => {
  test('is who does not say who they are', async () => {
    expect(await wrongAnswers(staffRoutes, { token: '', status: 401 })).toEqual([])
  })

  test('are people without a role', async () => {
    const { token } = await app.person('user')
    expect(await wrongAnswers(staffRoutes, { token, status: 403, body: refused })).toEqual([])
  })

  test('are applications', async () => {
    const { token, userId } = await app.person('user')
    await app.ctx.db
      .updateTable('oauth_tokens')
      .set({ user_id: null })
      .where('user_id', '=', userId)
      .execute()
    expect(await wrongAnswers(staffRoutes, { token, status: 422 })).toEqual([])
  })

  test('are staff who are shut out', async () => {
    const person = await app.person('owner', { role: 'Owner' })
    await app.ctx.db.updateTable('users').set({ disabled: true }).where('id', '=', person.userId).execute()
    expect(await wrongAnswers(staffRoutes, { token: person.token, status: 403 })).toEqual([])
  })

  test('are staff whose application may not', async () => {
    const { token } = await app.person('owner', {
      role: 'Owner',
      scopes: ['read', 'write', 'follow', 'push'],
    })
    expect(await wrongAnswers(staffRoutes, { token, status: 403 })).toEqual([])
    const reader = await app.person('owner', { role: 'Owner', scopes: ['admin:read'] })
    const writes = staffRoutes.filter((route) => !route.scopes.includes('admin:read'))
    expect(await wrongAnswers(writes, { token: reader.token, status: 403 })).toEqual([])
  })

  test.each(all)('are roles that lack %s', async (missing) => {
    const without = await personWith(bits(all.filter((name) => name !== missing)))
    const list = staffRoutes.filter((route) => neededBy(route).every((name) => name === missing))
    expect(await wrongAnswers(list, { token: without.token, status: 403, body: refused })).toEqual([])
  })

  test.each(['Moderator', 'Admin'] as const)('are %ss, of what is not theirs', async (role) => {
    const { token } = await app.person('staff', { role })
    const { permissions: held } = await app.ctx.db
      .selectFrom('roles')
      .select('permissions')
      .where('name', '=', role)
      .executeTakeFirstOrThrow()
    const list = staffRoutes.filter((route) => (bits(neededBy(route)) & BigInt(held)) === 0n)
    expect(await wrongAnswers(list, { token, status: 403, body: refused })).toEqual([])
  })
})

/** No such thing, wrong parameters, or done: anything but a refusal. */
const passes = (status: number) => status !== 401 && status !== 403 && status < 500

describe('admitted', () => {
  test.each(all)('are roles that have just %s', async (held) => {
    const { token } = await personWith(bits([held]))
    const list = staffRoutes.filter((route) => neededBy(route).includes(held))
    expect(await refusals(list, () => token)).toEqual([])
  })

  test('are owners, and tokens with any one of the scopes that an operation takes', async () => {
    const scopes = [...new Set(staffRoutes.flatMap((route) => route.scopes))]
    const tokens = new Map<string, string>()
    for (const scope of scopes)
      tokens.set(scope, (await app.person('owner', { role: 'Owner', scopes: [scope] })).token)
    for (const scope of scopes) {
      const list = staffRoutes.filter((route) => route.scopes.includes(scope))
      expect([scope, await refusals(list, () => tokens.get(scope) as string)]).toEqual([scope, []])
    }
  })
})

async function refusals(list: readonly ListedRoute[], token: () => string): Promise<unknown[]> {
  const wrong: unknown[] = []
  for (const route of list) {
    const answer = await callRoute(app.fetch, route, { token: token(), params: {} })
    if (!passes(answer.status)) wrong.push([answer.name, answer.status, answer.body])
  }
  return wrong
}

describe('the e-mail addresses and networks of people [ACC-9]', () => {
  let addresses: string[]
  let person: Person
  beforeAll(async () => {
    person = await app.person('private')
    await app.ctx.db
      .updateTable('users')
      .set({ sign_up_ip: '198.51.100.77' })
      .where('id', '=', person.userId)
      .execute()
    addresses = [person.email, '198.51.100.77']
  })

  test('are told to nobody who may not manage users, by no operation', async () => {
    const client = createClient({
      fetch: app.fetch,
      token: (
        await personWith(bits(all.filter((name) => name !== 'manage_users' && name !== 'manage_reports')))
      ).token,
    })
    const leaks: unknown[] = []
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const path = route.path
        .replaceAll(/:(id|account_id)\b/g, person.accountId)
        .replaceAll(/:\w+(\{[^}]*\})?/g, '1')
      const { body } = await client.get(path)
      const text = JSON.stringify(body ?? '')
      if (addresses.some((address) => text.includes(address))) leaks.push(path)
    }
    expect(leaks).toEqual([])
  })

  test('are not in what staff are answered who may not manage users', async () => {
    const staff = await personWith(bits(['manage_roles', 'manage_user_access', 'delete_user_data']))
    const path = `/api/v1/admin/accounts/${person.accountId}`
    const answers = [
      await staff.delete(`${path}/role`),
      await staff.post(`${path}/disable_2fa`),
      await staff.post(`${path}/memorialize`),
    ]
    await sql`update accounts set suspended_at = now() where id = ${person.accountId}`.execute(app.ctx.db)
    answers.push(await staff.delete(path))
    for (const answer of answers) {
      expect(answer.ok()).toMatchObject({ id: person.accountId, email: null, ip: null, ips: [] })
      for (const address of addresses) expect(JSON.stringify(answer.body)).not.toContain(address)
    }
  })
})
