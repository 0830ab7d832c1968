import { createECDH, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { issueToken } from '#domain/identity/oauth/issue-token.ts'
import { revokeTokens } from '#domain/identity/oauth/revoke.ts'
import { useApp } from '#test/app/app.ts'
import { createClient } from '#test/client/client.ts'
import { dumpDatabase } from '#test/app/database.ts'
import type { Person } from '#test/people/people.ts'
import { sql } from 'kysely'

const app = useApp()
const path = '/api/v1/push/subscription'

const keys = () => ({
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
})
const subscription = (more: object = {}) => ({
  endpoint: `https://push.example/send/${randomBytes(8).toString('hex')}`,
  keys: keys(),
  ...more,
})
const allOff = {
  mention: false,
  quote: false,
  status: false,
  reblog: false,
  follow: false,
  follow_request: false,
  favourite: false,
  poll: false,
  update: false,
  quoted_update: false,
  'admin.sign_up': false,
  'admin.report': false,
}

async function furtherToken(person: Person) {
  const { id, secret } = await app.ctx.transaction((tx) =>
    issueToken(tx, { applicationId: null, userId: person.userId, scopes: ['push'] }),
  )
  return { id, secret, client: createClient({ fetch: app.fetch, token: secret }) }
}

describe('a subscription is made, read, changed and ended [4-29]', () => {
  test('GET answers 404 without one [4-31] [7-3]', async () => {
    const alice = await app.person('alice')
    expect((await alice.get(path)).status).toBe(404)
    expect((await alice.put(path, { data: { policy: 'all' } })).status).toBe(404)
    expect((await alice.delete(path)).ok()).toEqual({})
  })

  test('POST accepts `policy` and answers what GET answers [4-32]', async () => {
    const alice = await app.person('alice')
    const given = subscription({ standard: true })
    const data = {
      policy: 'followed',
      alerts: { mention: true, follow: 'false', 'admin.report': '1', nonsense: 1 },
    }
    const made = (await alice.post(path, { subscription: given, data })).ok()
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      endpoint: given.endpoint,
      standard: true,
      policy: 'followed',
      alerts: { ...allOff, mention: true, 'admin.report': true },
      server_key: app.ctx.secrets.vapid.publicKey,
    })
    expect((await alice.get(path)).ok()).toEqual(made)
  })

  test('the key to subscribe with is the same everywhere, and has the form that browsers want', async () => {
    const alice = await app.person('alice')
    const { server_key: key } = (await alice.post(path, { subscription: subscription() })).ok()
    expect(Buffer.from(key, 'base64url')).toHaveLength(65)
    expect((await app.anonymous.get('/api/v2/instance')).ok().configuration.vapid.public_key).toBe(key)
    expect(
      (
        await app.anonymous.post('/api/v1/apps', {
          client_name: 'x',
          redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
        })
      ).ok().vapid_key,
    ).toBe(key)
  })

  test('without further words everything is off, for all, and legacy', async () => {
    const alice = await app.person('alice')
    const made = (await alice.post(path, { subscription: subscription() })).ok()
    expect(made).toMatchObject({ alerts: allOff, policy: 'all', standard: false })
  })

  test('PUT says anew what is pushed: what it leaves out is off', async () => {
    const alice = await app.person('alice')
    const data = { policy: 'none', alerts: { mention: true, poll: true } }
    const made = (await alice.post(path, { subscription: subscription(), data })).ok()
    const changed = (await alice.put(path, { data: { alerts: { reblog: true } } })).ok()
    expect(changed).toEqual({ ...made, policy: 'all', alerts: { ...allOff, reblog: true } })
    expect((await alice.get(path)).ok()).toEqual(changed)
  })

  test.each(['all', 'followed', 'follower', 'none'])('the policy %j is one [2.2-37]', async (policy) => {
    const alice = await app.person('alice')
    expect((await alice.post(path, { subscription: subscription(), data: { policy } })).ok().policy).toBe(
      policy,
    )
    expect((await alice.put(path, { policy })).ok().policy).toBe(policy)
  })

  test('another policy is none [2.2-37]', async () => {
    const alice = await app.person('alice')
    const wrong = { subscription: subscription(), data: { policy: 'friends' } }
    expect((await alice.post(path, wrong)).status).toBe(422)
    expect((await alice.get(path)).status).toBe(404)
  })

  test('forms spell it with brackets', async () => {
    const alice = await app.person('alice')
    const { endpoint, keys } = subscription()
    const form = new URLSearchParams([
      ['subscription[endpoint]', endpoint],
      ['subscription[keys][p256dh]', Buffer.from(keys.p256dh, 'base64url').toString('base64')],
      ['subscription[keys][auth]', `${keys.auth}==`],
      ['subscription[standard]', 'true'],
      ['data[alerts][mention]', 'on'],
      ['data[alerts][admin.sign_up]', '1'],
      ['data[alerts][poll]', 'false'],
      ['data[policy]', 'follower'],
    ])
    expect((await alice.post(path, form)).ok()).toMatchObject({
      endpoint,
      standard: true,
      policy: 'follower',
      alerts: { ...allOff, mention: true, 'admin.sign_up': true },
    })
    const flat = (await alice.put(path, { 'data[alerts][follow]': true, 'data[policy]': 'none' })).ok()
    expect(flat).toMatchObject({ policy: 'none', alerts: { ...allOff, follow: true } })
  })

  test('a second one takes the place of the first; DELETE ends it', async () => {
    const alice = await app.person('alice')
    const first = (await alice.post(path, { subscription: subscription() })).ok()
    const second = (await alice.post(path, { subscription: subscription() })).ok()
    expect(second.id).not.toBe(first.id)
    expect((await alice.get(path)).ok()).toEqual(second)
    expect((await alice.delete(path)).ok()).toEqual({})
    expect((await alice.get(path)).status).toBe(404)
  })
})

describe('refused', () => {
  test.each([
    ['no subscription', {}, 400],
    ['an empty endpoint', { subscription: subscription({ endpoint: '' }) }, 422],
    ['no keys', { subscription: { endpoint: 'https://push.example/1' } }, 422],
    ['an endpoint without TLS', { subscription: subscription({ endpoint: 'http://push.example/1' }) }, 422],
    [
      'SSRF-15: an endpoint inside',
      { subscription: subscription({ endpoint: 'https://127.0.0.1:1/x' }) },
      422,
    ],
    [
      'SSRF-15: an endpoint of ours',
      { subscription: subscription({ endpoint: 'https://chat.example/x' }) },
      422,
    ],
    ['a key of another length', { subscription: subscription({ keys: { ...keys(), p256dh: 'AAAA' } }) }, 422],
    ['short authentication', { subscription: subscription({ keys: { ...keys(), auth: 'AAAA' } }) }, 422],
  ])('%s', async (_, params, status) => {
    const alice = await app.person('alice')
    const answer = await alice.post(path, params)
    expect([answer.status, typeof answer.body.error]).toEqual([status, 'string'])
    expect((await alice.get(path)).status).toBe(404)
  })

  test('a token without the scope push, strangers, and applications without a user [4-30] [5-7]', async () => {
    const alice = await app.person('alice')
    const other = await app.withScopes(alice, ['read', 'write', 'follow'])
    const params = { subscription: subscription() }
    for (const client of [other, app.anonymous]) {
      const answers = [client.get(path), client.post(path, params), client.put(path), client.delete(path)]
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      expect(statuses).toEqual(Array(4).fill(client === other ? 403 : 401))
    }
    expect((await (await app.application(['push'])).post(path, params)).status).toBe(422)
    expect((await (await app.withScopes(alice, ['push'])).post(path, params)).status).toBe(200)
  })
})

describe('each token has its own', () => {
  test('nobody sees, changes or ends that of another token [ACC-7]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const mine = (await alice.post(path, { subscription: subscription() })).ok()
    const phone = await furtherToken(alice)
    for (const other of [bob, phone.client]) {
      expect((await other.get(path)).status).toBe(404)
      expect((await other.put(path, { data: { policy: 'none' } })).status).toBe(404)
      expect((await other.delete(path)).ok()).toEqual({})
    }
    const second = (await phone.client.post(path, { subscription: subscription() })).ok()
    expect((await alice.get(path)).ok()).toEqual(mine)
    expect((await phone.client.get(path)).ok()).toEqual(second)
  })

  test('it ends with its token [ACC-6]', async () => {
    const alice = await app.person('alice')
    const phone = await furtherToken(alice)
    ;(await phone.client.post(path, { subscription: subscription() })).ok()
    ;(await alice.post(path, { subscription: subscription() })).ok()
    await app.ctx.transaction((tx) => revokeTokens(tx, sql`id = ${phone.id}`))
    await app.settle()
    const { rows } = await sql`
      select 1 from web_push_subscriptions where account_id = ${alice.accountId}`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
    expect((await alice.get(path)).status).toBe(200)
  })

  test('the oldest go when there are more than fifty', async () => {
    const alice = await app.person('alice')
    const first = await furtherToken(alice)
    ;(await first.client.post(path, { subscription: subscription() })).ok()
    for (let made = 1; made <= 50; made++) {
      const next = await furtherToken(alice)
      ;(await next.client.post(path, { subscription: subscription() })).ok()
    }
    expect((await first.client.get(path)).status).toBe(404)
    const { rows } = await sql`
      select 1 from web_push_subscriptions where account_id = ${alice.accountId}`.execute(app.ctx.db)
    expect(rows).toHaveLength(50)
  })

  test('the token that messages carry is not readable in the database [AUTH-9]', async () => {
    const alice = await app.person('alice')
    ;(await alice.post(path, { subscription: subscription() })).ok()
    const dump = await dumpDatabase(app.ctx)
    expect(dump).not.toContain(alice.token)
    expect(dump).not.toContain(Buffer.from(alice.token).toString('hex'))
    expect(dump).not.toContain(Buffer.from(alice.token).toString('base64url'))
  })
})
