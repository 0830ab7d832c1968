// The same thing done by several at the same moment.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { allow, askToken, carried, challengeOf, newVerifier, registerClient } from '#test/client/oauth.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).toSorted()

test('one code exchanged several times at once gives one token at most, and that does not outlive the reuse [ROB-13]', async () => {
  const client = await registerClient(app)
  const browser = await signedIn(app, await personWithPassword(app, 'alice'))
  const verifier = newVerifier()
  const more = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
  const code = carried(await allow(browser, client, more))['code']!
  const params = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  }
  const answers = await times(10, () => askToken(app, client, params))
  expect(statusesOf(answers)).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from oauth_tokens t join applications a on a.id = t.application_id
    where a.client_id = ${client.id} and t.revoked_at is null`.execute(app.ctx.db)
  expect(rows[0]?.count).toBeLessThanOrEqual(1)
})

test('one name registered several times at once is given once [ROB-13]', async () => {
  const client = await app.application(['write:accounts'])
  const input = (index: number) => ({
    username: index % 2 ? 'wanted' : 'Wanted',
    email: `wanted${index}@mail.example`,
    password: 'correct horse battery',
    agreement: true,
    locale: 'en',
    reason: 'because',
  })
  const answers = await times(8, (index) => client.post('/api/v1/accounts', input(index)))
  expect(statusesOf(answers)).toEqual([200, ...Array.from({ length: 7 }, () => 422)])
  const lost = answers.filter(({ status }) => status === 422)
  for (const { body } of lost) expect(Object.keys(body.details)).toEqual(['username'])
  const { rows } = await sql`select id from accounts where lower(username) = 'wanted'`.execute(app.ctx.db)
  expect(rows).toHaveLength(1)
  expect((await sql`select id from users where email like 'wanted%'`.execute(app.ctx.db)).rows).toHaveLength(
    1,
  )
})

test('one e-mail address registered several times at once is taken once [ROB-13]', async () => {
  const client = await app.application(['write:accounts'])
  const answers = await times(6, (index) =>
    client.post('/api/v1/accounts', {
      username: `same${index}`,
      email: 'same@mail.example',
      password: 'correct horse battery',
      agreement: true,
      locale: 'en',
      reason: 'because',
    }),
  )
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(
    (await sql`select id from users where email = 'same@mail.example'`.execute(app.ctx.db)).rows,
  ).toHaveLength(1)
})

test('pinned at once from several devices: no more than five, no failure [ROB-14]', async () => {
  const alice = await app.person('alice')
  const statuses = []
  for (let i = 0; i < 8; i++) statuses.push(await alice.say(`pin ${i}`))
  const answers = await Promise.all(
    statuses.flatMap(({ id }) => [1, 2].map(() => alice.post(`/api/v1/statuses/${id}/pin`))),
  )
  expect(answers.filter(({ status }) => ![200, 422].includes(status))).toEqual([])
  const pinned = (await alice.get(`/api/v1/accounts/${alice.accountId}/statuses?pinned=true`)).ok()
  expect(pinned).toHaveLength(5)
  await Promise.all(
    statuses.flatMap(({ id }) => [1, 2].map(() => alice.post(`/api/v1/statuses/${id}/unpin`))),
  )
  expect((await alice.get(`/api/v1/accounts/${alice.accountId}/statuses?pinned=true`)).ok()).toEqual([])
})

test('follow, unfollow and block of the same pair at once: counters equal rows [ROB-14]', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const verbs = ['follow', 'unfollow', 'follow', 'block', 'unblock', 'follow', 'mute', 'unmute']
  const answers = await times(48, (index) =>
    (index % 3 === 0 ? bob : alice).post(
      `/api/v1/accounts/${(index % 3 === 0 ? alice : bob).accountId}/${verbs[index % verbs.length]}`,
    ),
  )
  // A follow that meets a block is forbidden.
  expect(answers.filter(({ status }) => ![200, 403].includes(status))).toEqual([])
  await app.settle()
  const { rows } = await sql<{ right: boolean }>`
    select following_count = (select count(*) from follows f where f.account_id = s.account_id)
      and followers_count = (select count(*) from follows f where f.target_account_id = s.account_id) as right
    from account_stats s where account_id = any(${[alice.accountId, bob.accountId]}::bigint[])`.execute(
    app.ctx.db,
  )
  expect(rows).toEqual([{ right: true }, { right: true }])
})

test('a status deleted several times at once while others answer it is gone once [ROB-14]', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const { id } = await alice.say('contested')
  const answers = await times(12, (index) =>
    index % 2 ? alice.delete(`/api/v1/statuses/${id}`) : bob.post(`/api/v1/statuses/${id}/favourite`),
  )
  expect(answers.filter(({ status }) => ![200, 404].includes(status))).toEqual([])
  await app.settle()
  expect((await alice.get(`/api/v1/statuses/${id}`)).status).toBe(404)
  expect((await alice.get('/api/v1/accounts/verify_credentials')).ok().statuses_count).toBe(0)
  expect(app.logLines.filter((line) => line.level === 'error')).toEqual([])
})

test('a status deleted while others boost it and its author pins it leaves nothing behind [ROB-14]', async () => {
  const [alice, ...others] = await Promise.all(
    ['alice', 'bob', 'carol', 'dora'].map((name) => app.person(name)),
  )
  for (let round = 0; round < 8; round++) {
    const { id } = await alice!.say(`contested ${round}`)
    const boosts = others.map((one) => one.post(`/api/v1/statuses/${id}/reblog`))
    const pin = alice!.post(`/api/v1/statuses/${id}/pin`)
    const answers = await Promise.all([...boosts, pin, alice!.delete(`/api/v1/statuses/${id}`)])
    expect(answers.filter(({ status }) => ![200, 404].includes(status))).toEqual([])
  }
  const { rows } = await sql`
    select b.id from statuses b join statuses o on o.id = b.reblog_of_id
    where b.deleted_at is null and o.deleted_at is not null
    union all
    select p.status_id from status_pins p join statuses s on s.id = p.status_id where s.deleted_at is not null`.execute(
    app.ctx.db,
  )
  expect(rows).toEqual([])
  for (const one of [alice!, ...others]) {
    expect((await one.get('/api/v1/accounts/verify_credentials')).ok().statuses_count).toBe(0)
  }
})
