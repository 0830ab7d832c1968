import { describe, expect, test } from 'vitest'
import { startApp, useApp } from '#test/app/app.ts'
import { createClient } from '#test/client/client.ts'
import { minutes } from '#test/app/clock.ts'
import { askToken, callback, obtainToken, registerClient } from '#test/client/oauth.ts'
import { password, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { issueToken } from '#domain/identity/oauth/issue-token.ts'
import { purgeOauth } from '#domain/identity/oauth/purge.ts'
import { apiScopes } from '#domain/identity/oauth/scopes.ts'

const app = useApp()
const withToken = (token: string) => createClient({ fetch: app.fetch, token })

async function scene(options: Parameters<typeof registerClient>[1] = {}) {
  const alice = await personWithPassword(app, 'alice')
  return { alice, browser: await signedIn(app, alice), client: await registerClient(app, options) }
}

describe('tokens open what their scopes say [AUTH-6]', () => {
  const routes = [
    ['GET', '/api/v1/timelines/home', ['read', 'read:statuses']],
    ['GET', '/api/v1/bookmarks', ['read', 'read:bookmarks']],
    ['GET', '/api/v1/favourites', ['read', 'read:favourites']],
    ['POST', '/api/v1/statuses/1/favourite', ['write', 'write:favourites']],
    ['POST', '/api/v1/statuses/1/bookmark', ['write', 'write:bookmarks']],
    ['DELETE', '/api/v1/statuses/1', ['write', 'write:statuses']],
    ['GET', '/oauth/userinfo', ['profile']],
  ] as const

  test.each(routes)('%s %s', async (method, path, accepted) => {
    const alice = await app.person('alice')
    const opened: string[] = []
    for (const scope of apiScopes) {
      const client = await app.withScopes(alice, [scope])
      const { status } = await client[method.toLowerCase() as 'get' | 'post' | 'delete'](path)
      expect([200, 403, 404]).toContain(status)
      if (status !== 403) opened.push(scope)
    }
    expect(opened).toEqual(accepted)
  })
})

describe('other grants', () => {
  test('a token of the application itself is no user [AUTH-7]', async () => {
    const client = await registerClient(app)
    const { body } = await askToken(app, client, {
      grant_type: 'client_credentials',
      scope: 'read write profile',
    })
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read write profile' })
    expect(body).not.toHaveProperty('refresh_token')
    for (const path of ['/api/v1/timelines/home', '/api/v1/bookmarks', '/oauth/userinfo']) {
      const answer = await withToken(body.access_token).get(path)
      expect([answer.status, answer.body.error]).toEqual([422, 'This method requires an authenticated user'])
    }
  })

  test('password is refused unless the operator allows it', async () => {
    const client = await registerClient(app)
    const answer = await askToken(app, client, { grant_type: 'password', username: 'x', password: 'y' })
    expect([answer.status, answer.body.error]).toEqual([400, 'unsupported_grant_type'])
    const open = await startApp({ env: { OAUTH_PASSWORD_GRANT: 'true' } })
    try {
      const alice = await personWithPassword(open, 'alice')
      const theirs = await registerClient(open)
      const ask = (secret: string) =>
        askToken(open, theirs, {
          grant_type: 'password',
          username: alice.email,
          password: secret,
          scope: 'read',
        })
      expect((await ask('wrong')).body.error).toBe('invalid_grant')
      expect((await ask(password)).body).toMatchObject({ scope: 'read', token_type: 'Bearer' })
    } finally {
      await open.close()
    }
  })

  test('a refresh token comes for offline_access, and works once', async () => {
    const { browser, client } = await scene({ scopes: 'read write offline_access' })
    expect(await obtainToken(app, browser, client, 'read')).not.toHaveProperty('refresh_token')
    const first = await obtainToken(app, browser, client, 'read write offline_access')
    expect(first).toMatchObject({ scope: 'read write offline_access', expires_in: 86_400 })
    const refresh = (token: string, more = {}) =>
      askToken(app, client, { grant_type: 'refresh_token', refresh_token: token, ...more })
    expect((await refresh(first.refresh_token, { scope: 'read push' })).body.error).toBe('invalid_scope')
    const thief = await registerClient(app)
    const stolen = await askToken(app, thief, {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
    })
    expect(stolen.body.error).toBe('invalid_grant')

    app.clock.advance(minutes(60 * 25))
    expect((await withToken(first.access_token).get('/api/v1/timelines/home')).body.error).toBe(
      'The access token expired',
    )
    const second = (await refresh(first.refresh_token)).body
    expect((await withToken(second.access_token).get('/api/v1/timelines/home')).status).toBe(200)
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
    expect((await withToken(second.access_token).get('/api/v1/timelines/home')).body.error).toBe(
      'The access token was revoked',
    )
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('the token endpoint', () => {
  const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

  test('takes Basic, form, multipart, JSON and query', async () => {
    const client = await registerClient(app)
    const all = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret }
    const multipart = new FormData()
    for (const [name, value] of Object.entries(all)) multipart.set(name, value)
    const authorization = basic(client.id, client.secret)
    const answers = await Promise.all([
      app.anonymous.post('/oauth/token', all),
      app.anonymous.post('/oauth/token', new URLSearchParams(all)),
      app.anonymous.post('/oauth/token', multipart),
      app.anonymous.post(`/oauth/token?${new URLSearchParams(all)}`),
      app.anonymous.post('/oauth/token', { grant_type: 'client_credentials' }, { authorization }),
      app.anonymous.post(
        '/oauth/token',
        { grant_type: 'client_credentials', client_id: client.id, audience: 'x' },
        { authorization },
      ),
    ])
    for (const answer of answers) {
      expect(answer.ok().scope).toBe('read')
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })

  test.each([
    ['nothing', {}, 400, 'invalid_request'],
    ['an unknown grant', { grant_type: 'implicit' }, 400, 'unsupported_grant_type'],
    ['a grant by the name of a method', { grant_type: 'toString' }, 400, 'unsupported_grant_type'],
    ['no client', { grant_type: 'client_credentials' }, 401, 'invalid_client'],
    [
      'an unknown client',
      { grant_type: 'client_credentials', client_id: 'x\0', client_secret: 'y' },
      401,
      'invalid_client',
    ],
  ])('%s', async (_, params, status, error) => {
    const answer = await app.anonymous.post('/oauth/token', params)
    expect([answer.status, answer.body]).toEqual([status, { error, error_description: expect.any(String) }])
    expect(answer.headers.get('www-authenticate')?.startsWith('Basic ') ?? false).toBe(status === 401)
  })

  test('a wrong secret, and credentials given twice', async () => {
    const client = await registerClient(app)
    const post = (params: Record<string, string>, authorization?: string) =>
      app.anonymous.post(
        '/oauth/token',
        { grant_type: 'client_credentials', ...params },
        authorization ? { authorization } : {},
      )
    expect((await post({ client_id: client.id, client_secret: 'wrong' })).status).toBe(401)
    expect((await post({ client_id: client.id })).status).toBe(401)
    expect((await post({}, basic(client.id, 'wrong'))).status).toBe(401)
    const right = basic(client.id, client.secret)
    expect((await post({ client_secret: client.secret }, right)).body.error).toBe('invalid_request')
    expect((await post({ client_id: 'other' }, right)).body.error).toBe('invalid_request')
    const missing = await askToken(app, client, { grant_type: 'authorization_code', redirect_uri: callback })
    expect([missing.status, missing.body.error]).toEqual([400, 'invalid_request'])
  })
})

describe('revoking [AUTH-8]', () => {
  test('is for the own application, and works at once', async () => {
    const { browser, client } = await scene()
    const { access_token: token } = await obtainToken(app, browser, client)
    const other = await registerClient(app)
    const revoke = (params: Record<string, string>) => app.anonymous.post('/oauth/revoke', params)
    const mine = { client_id: client.id, client_secret: client.secret }
    const refused: Record<string, string>[] = [
      { token },
      { token, client_id: other.id, client_secret: other.secret },
      { token, client_id: client.id, client_secret: 'wrong' },
    ]
    for (const params of refused) {
      const answer = await revoke(params)
      expect([answer.status, answer.body.error]).toEqual([403, 'unauthorized_client'])
    }
    expect((await withToken(token).get('/api/v1/timelines/home')).status).toBe(200)
    expect((await revoke({ token, ...mine })).ok()).toEqual({})
    expect((await withToken(token).get('/api/v1/timelines/home')).body.error).toBe(
      'The access token was revoked',
    )
    expect((await revoke({ token, ...mine })).ok()).toEqual({})
    expect((await revoke({ token: 'unknown', ...mine })).ok()).toEqual({})
    expect((await revoke(mine)).status).toBe(400)
    const events = await app.ctx.db.selectFrom('outbox').selectAll().execute()
    expect(JSON.stringify(events)).toContain('token.revoked')
    await app.settle()
  })

  test('by the person: the list of authorised apps', async () => {
    const { alice, browser, client } = await scene({ name: '<b>Spy</b>' })
    const { access_token: token } = await obtainToken(app, browser, client)
    const bob = await signedIn(app, await personWithPassword(app, 'bob'))
    expect((await bob.get('/oauth/authorized_applications')).text).toContain('No app has access')
    const page = await browser.get('/oauth/authorized_applications')
    expect(page.text).toContain('&lt;b&gt;Spy&lt;/b&gt;')
    expect(page.text).toContain(alice.username)
    const form = page.forms.find((one) => one.action.startsWith('/oauth/authorized_applications/'))!
    const others = (await bob.get('/oauth/authorized_applications')).form('/auth/sign_out').fields
    expect((await bob.post(form.action, others)).status).toBe(303)
    expect((await withToken(token).get('/api/v1/timelines/home')).status).toBe(200)
    expect((await browser.submit(form)).location).toBe('/oauth/authorized_applications')
    expect((await withToken(token).get('/api/v1/timelines/home')).status).toBe(401)
    expect((await browser.get('/oauth/authorized_applications')).text).toContain('No app has access')
    expect((await browser.post('/oauth/authorized_applications/x', others)).status).toBe(422)
  })
})

describe('about tokens and the server', () => {
  test('userinfo by GET and POST', async () => {
    const alice = await app.person('alice', { scopes: ['profile'] })
    const expected = {
      iss: 'https://chat.example/',
      sub: `https://chat.example/users/${alice.username}`,
      name: '',
      preferred_username: alice.username,
      profile: `https://chat.example/@${alice.username}`,
      picture: expect.stringMatching(/^https:\/\/chat\.example\//),
    }
    expect((await alice.get('/oauth/userinfo')).ok()).toEqual(expected)
    expect((await alice.post('/oauth/userinfo')).ok()).toEqual(expected)
    expect((await app.anonymous.get('/oauth/userinfo')).status).toBe(401)
  })

  test('introspection tells an application about its own tokens only', async () => {
    const { alice, browser, client } = await scene()
    const { access_token: token } = await obtainToken(app, browser, client)
    const ask = (by: typeof client, asked: string) =>
      app.anonymous.post('/oauth/introspect', { client_id: by.id, client_secret: by.secret, token: asked })
    expect((await ask(client, token)).ok()).toEqual({
      active: true,
      scope: 'read',
      client_id: client.id,
      token_type: 'Bearer',
      iat: expect.any(Number),
      username: alice.username,
    })
    expect((await ask(await registerClient(app), token)).ok()).toEqual({ active: false })
    expect((await ask(client, 'unknown')).ok()).toEqual({ active: false })
    expect((await ask({ ...client, secret: 'x' }, token)).status).toBe(401)
  })

  test('the metadata names what is there', async () => {
    const found = (await app.anonymous.get('/.well-known/oauth-authorization-server')).ok()
    expect(found).toMatchObject({
      issuer: 'https://chat.example/',
      authorization_endpoint: 'https://chat.example/oauth/authorize',
      token_endpoint: 'https://chat.example/oauth/token',
      scopes_supported: expect.arrayContaining(['read', 'write:media', 'admin:read:ip_blocks', 'profile']),
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
    })
  })
})

test('purging removes what is dead, and nothing that is not', async () => {
  const { browser, client } = await scene({ scopes: 'read offline_access' })
  const { alice, browser: idle } = await scene()
  const kept = (await obtainToken(app, browser, client, 'read')).access_token
  const refreshable = await obtainToken(app, browser, client, 'read offline_access')
  const dead = (await obtainToken(app, browser, client, 'read')).access_token
  await app.anonymous.post('/oauth/revoke', {
    token: dead,
    client_id: client.id,
    client_secret: client.secret,
  })
  const session = app.ctx.transaction((tx) =>
    tx.db.selectFrom('sessions').select('id').where('user_id', '=', alice.userId).executeTakeFirstOrThrow(),
  )
  const bound = await app.ctx.transaction((tx) =>
    issueToken(tx, { applicationId: null, userId: alice.userId, scopes: ['read'] }),
  )
  const session_id = (await session).id
  await app.ctx.db.updateTable('oauth_tokens').set({ session_id }).where('id', '=', bound.id).execute()
  const problem = async (token: string) => (await withToken(token).get('/api/v1/timelines/home')).body.error

  await purgeOauth(app.ctx)
  expect([await problem(kept), await problem(dead), await problem(bound.secret)]).toEqual([
    undefined,
    'The access token was revoked',
    undefined,
  ])
  app.clock.advance(minutes(60 * 24 * 95))
  await purgeOauth(app.ctx)
  expect([await problem(kept), await problem(dead), await problem(bound.secret)]).toEqual([
    undefined,
    'The access token is invalid',
    'The access token is invalid',
  ])
  expect((await idle.get('/oauth/authorized_applications')).status).toBe(302)
  const again = await askToken(app, client, {
    grant_type: 'refresh_token',
    refresh_token: refreshable.refresh_token,
  })
  expect(again.status).toBe(200)
  expect(await app.ctx.db.selectFrom('sessions').select('id').execute()).toEqual([])
})
