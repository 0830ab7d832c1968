import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { countRows } from '#test/app/database.ts'
import { callRoute, nameOf, paramNames, routes, type ListedRoute } from '#test/client/every-route.ts'
import type { Person, PersonOptions } from '#test/people/people.ts'

const app = useApp()

interface State {
  options?: PersonOptions
  /** Columns of `users` or `accounts` that bring the login into this state. */
  users?: ReturnType<typeof sql>
  accounts?: ReturnType<typeof sql>
  says: string
}

const disabled = 'Your login is currently disabled'
const states: Record<string, State> = {
  unconfirmed: { options: { confirmed: false }, says: 'Your login is missing a confirmed e-mail address' },
  pending: { options: { approved: false }, says: 'Your login is currently pending approval' },
  disabled: { users: sql`disabled = true`, says: disabled },
  suspended: { accounts: sql`suspended_at = now()`, says: disabled },
  memorial: { accounts: sql`memorial = true`, says: disabled },
  moved: { accounts: sql`moved_to_account_id = (select min(id) from accounts)`, says: disabled },
  'disabled owner': { options: { role: 'Owner' }, users: sql`disabled = true`, says: disabled },
}

/** What others have that a working login could see or change. */
interface Scene {
  alice: Person
  statusId: string
  privateId: string
}
let scene: Scene

beforeAll(async () => {
  const alice = await app.person('alice')
  const { id } = await alice.say('for all')
  const hidden = await alice.say('for followers', { visibility: 'private' })
  scene = { alice, statusId: id, privateId: hidden.id }
})

/** The login has followed alice and has a token from before it fell into its state. */
async function personIn(state: State): Promise<Person> {
  const person = await app.person('fallen', state.options)
  await sql`insert into follows (id, account_id, target_account_id)
    values (${app.ctx.newId()}, ${person.accountId}, ${scene.alice.accountId})`.execute(app.ctx.db)
  if (state.users) await sql`update users set ${state.users} where id = ${person.userId}`.execute(app.ctx.db)
  if (state.accounts)
    await sql`update accounts set ${state.accounts}, version = version + 1 where id = ${person.accountId}`.execute(
      app.ctx.db,
    )
  return person
}

function pathOf(route: ListedRoute, statusId: string): Record<string, string> {
  const id = route.path.includes('/statuses/') ? statusId : scene.alice.accountId
  return { id, account_id: id, name: 'tag', hashtag: 'tag' }
}

const given = (route: ListedRoute) =>
  Object.fromEntries(paramNames(route).map((name) => [name, name === 'languages' ? ['en'] : 'x']))

describe.each(Object.entries(states))('the token of a login that is %s [ACC-10]', (_, state) => {
  test('is refused with the reason by every operation for users, and changes nothing', async () => {
    const person = await personIn(state)
    await app.settle()
    const before = await countRows(app.ctx)
    const mails = app.mails.length
    const opened: unknown[] = []
    for (const route of routes.filter(({ auth }) => auth === 'user' || auth === 'app')) {
      const { status, body } = await callRoute(app.fetch, route, {
        token: person.token,
        path: pathOf(route, scene.statusId),
        params: given(route),
      })
      if (status !== 403 || body.error !== state.says) opened.push([nameOf(route), status, body])
    }
    await app.settle()
    expect(opened).toEqual([])
    expect(await countRows(app.ctx)).toEqual(before)
    expect(app.mails.length).toBe(mails)
  })

  test('reads what is open to all as a stranger does', async () => {
    const person = await personIn(state)
    const different: unknown[] = []
    for (const route of routes.filter(({ auth }) => auth === 'optional')) {
      for (const statusId of [scene.statusId, scene.privateId]) {
        const call = { path: pathOf(route, statusId), query: `id[]=${statusId}&acct=${scene.alice.username}` }
        const [stranger, own] = [
          await callRoute(app.fetch, route, call),
          await callRoute(app.fetch, route, { ...call, token: person.token }),
        ]
        if (own.status !== stranger.status || JSON.stringify(own.body) !== JSON.stringify(stranger.body))
          different.push([nameOf(route), stranger, own])
      }
    }
    expect(different).toEqual([])
  })

  test('still tells whether its address is confirmed, and sends no mail to those that are', async () => {
    const person = await personIn(state)
    const confirmed = state.options?.confirmed ?? true
    expect((await person.get('/api/v1/emails/check_confirmation')).ok()).toBe(confirmed)
    const mails = app.mails.length
    expect((await person.post('/api/v1/emails/confirmations', { email: 'new@mail.example' })).status).toBe(
      403,
    )
    await app.settle()
    expect(app.mails.length).toBe(mails)
  })

  test('does not count as activity', async () => {
    const person = await personIn(state)
    await person.get('/api/v1/timelines/home')
    await person.get('/api/v1/timelines/public')
    const row = await app.ctx.db
      .selectFrom('users')
      .select('last_active_at')
      .where('id', '=', person.userId)
      .executeTakeFirstOrThrow()
    expect(row.last_active_at).toBeNull()
  })
})

test('the login works again when its state ends [ACC-10]', async () => {
  const person = await personIn(states['disabled']!)
  expect((await person.get('/api/v1/timelines/home')).status).toBe(403)
  await sql`update users set disabled = false where id = ${person.userId}`.execute(app.ctx.db)
  expect((await person.get('/api/v1/timelines/home')).status).toBe(200)
})
