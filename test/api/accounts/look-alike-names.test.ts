// Names that would let somebody pass for somebody who is here.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createUserByOperator } from '#domain/identity/accounts/registration/create-by-operator.ts'
import { findLookAlike } from '#domain/identity/accounts/registration/look-alikes.ts'
import { useApp } from '#test/app/app.ts'
import { makeSignUpApp, registration, signUp } from '#test/people/registration.ts'
import type { AccountId } from '#lib/id.ts'

const app = useApp()
const plain = useApp({ env: { LOCAL_DOMAIN: 'intranet:3000' } })
// Somebody runs the server: without any account it is not set up, and nobody can sign up.
beforeAll(async () => {
  await app.person('host')
  await plain.person('host')
})

const rename = (accountId: AccountId, username: string) =>
  app.ctx.db.updateTable('accounts').set({ username }).where('id', '=', accountId).execute()

describe('a name that reads like that of [AUTH-20]', () => {
  test.each(['a1ice', 'aIice', 'AL1CE', 'al_ice', '4lice', 'allce', 'a1_1ce'])(
    'staff is refused: %s',
    async (username) => {
      await sql`delete from accounts where lower(username) = 'alice'`.execute(app.ctx.db)
      const moderator = await app.person('staff', { role: 'Moderator' })
      await rename(moderator.accountId, 'alice')
      const answer = await (await makeSignUpApp(app)).post('/api/v1/accounts', registration({ username }))
      expect(answer.status).toBe(422)
      expect(answer.body.details.username).toEqual([{ error: 'ERR_RESERVED', description: 'is reserved' }])
    },
  )

  test.each(['marnie', 'rn4mie', 'rnarnie', 'MARN1E', 'ma_mie'])(
    'another person waits for approval: %s',
    async (username) => {
      const person = await app.person('mamie')
      await sql`delete from accounts where lower(username) in ('mamie', ${username.toLowerCase()})`.execute(
        app.ctx.db,
      )
      await rename(person.accountId, 'mamie')
      await signUp(app, await makeSignUpApp(app), { username })
      const { rows } = await sql`
        select u.approved from users u join accounts a on a.id = u.account_id where a.username = ${username}`.execute(
        app.ctx.db,
      )
      expect(rows).toEqual([{ approved: false }])
    },
  )

  test('nobody is anybody’s: of other letters, of people elsewhere, of deleted accounts', async () => {
    const gone = await app.person('gone')
    await rename(gone.accountId, 'zebulon')
    await sql`update accounts set deleted_at = now() where id = ${gone.accountId}`.execute(app.ctx.db)
    for (const username of ['2ebulon', 'alices', 'alce', 'mame', 'mamiee'])
      expect([username, await findLookAlike(app.ctx, username)]).toEqual([username, null])
  })

  test('is found by an index', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select 1 from accounts a where a.domain is null and replace(replace(replace(translate(
        lower(a.username), '012345789l', 'oizeastbgi'), '_', ''), 'rn', 'm'), 'vv', 'w') = 'aiice'`.execute(
      app.ctx.db,
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('accounts_look_alike')
  })
})

test('the name of the server’s own actor is nobody’s, not even by the command line', async () => {
  const { body, status } = await (
    await makeSignUpApp(plain)
  ).post('/api/v1/accounts', registration({ username: 'Intranet' }))
  expect([status, body.details.username]).toEqual([
    422,
    [{ error: 'ERR_RESERVED', description: 'is reserved' }],
  ])
  const byOperator = createUserByOperator(plain.ctx, { username: 'intranet', email: 'a@mail.example' })
  await expect(byOperator).rejects.toThrow('Username is reserved')
})
