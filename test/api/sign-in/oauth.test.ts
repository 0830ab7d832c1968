import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { createClient } from '#test/client/client.ts'
import { minutes } from '#test/app/clock.ts'
import {
  allow,
  askToken,
  authorizePath,
  callback,
  carried,
  challengeOf,
  newVerifier,
  obtainToken,
  registerClient,
} from '#test/client/oauth.ts'
import { verifierFits } from '#domain/identity/oauth/exchange.ts'
import { newBrowser, password, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
const withToken = (token: string) => createClient({ fetch: app.fetch, token })

async function scene(options: Parameters<typeof registerClient>[1] = {}) {
  const alice = await personWithPassword(app, 'alice')
  const browser = await signedIn(app, alice)
  const client = await registerClient(app, options)
  const exchange = (code: string, more: Record<string, string> = {}) =>
    askToken(app, client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
      ...more,
    })
  const newCode = async (more: Record<string, string> = {}) =>
    carried(await allow(browser, client, more))['code']!
  return { alice, browser, client, exchange, newCode }
}

describe('the way to a token [5-1]', () => {
  test('sign in, consent, code, token', async () => {
    const { alice, client, exchange } = await scene()
    const browser = newBrowser(app)
    const start = authorizePath(client, { scope: 'read write:statuses', state: 's1' })
    const sent = await browser.get(start)
    expect(sent.location).toMatch(/^\/auth\/sign_in\?return_to=/)
    const form = (await browser.get(sent.location!)).form('/auth/sign_in')
    const back = await browser.submit(form, { 'user[email]': alice.email, 'user[password]': password })
    const consent = await browser.get(back.location!)
    expect(consent.text).toContain('Test app')
    expect(consent.text).toContain('Read everything in your account')
    expect(consent.text).toContain('Change: posts')
    expect(consent.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example")
    const done = await browser.submit(consent.form('/oauth/authorize'))
    expect([done.status, done.location]).toEqual([
      302,
      expect.stringMatching(/^https:\/\/app\.example\/cb\?code=[\w-]{43}&state=s1$/),
    ])
    const { status, body } = await exchange(carried(done)['code']!)
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      scope: 'read write:statuses',
      created_at: expect.any(Number),
    })
    expect(Math.abs(body.created_at - app.ctx.clock.now() / 1000)).toBeLessThan(5)
    expect((await withToken(body.access_token).get('/api/v1/timelines/home')).ok()).toEqual([])
  })

  test('out of band the code is shown', async () => {
    const { browser, exchange, client } = await scene({ redirectUri: 'urn:ietf:wg:oauth:2.0:oob' })
    const sent = await allow(browser, client)
    expect(sent.location).toMatch(/^\/oauth\/authorize\/native\?code=/)
    const code = carried(sent)['code']!
    expect((await browser.get(sent.location!)).text).toContain(`<code class="secret">${code}</code>`)
    expect((await exchange(code)).status).toBe(200)
    const page = await browser.get(authorizePath(client, { scope: 'write' }))
    expect(
      (await browser.submit(page.forms.find(({ fields }) => fields['_method'] === 'delete')!)).text,
    ).toContain('You refused')
  })

  test('refused, the application learns only that', async () => {
    const { browser, client } = await scene()
    const page = await browser.get(authorizePath(client, { state: 'a b&c=é' }))
    const forms = page.forms.filter((form) => form.action === '/oauth/authorize')
    const denied = await browser.submit(forms.find((form) => form.fields['_method'] === 'delete')!)
    expect(carried(denied)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'a b&c=é',
    })
    const deleted = await app.fetch('/oauth/authorize', {
      method: 'DELETE',
      headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: new URLSearchParams(forms[0]!.fields),
    })
    expect(deleted.headers.get('location')).toContain(`${callback}?error=access_denied`)
  })

  test('who has agreed before is not asked again, unless more is asked or force_login', async () => {
    const { alice, browser, client } = await scene()
    await obtainToken(app, browser, client, 'read')
    expect(carried(await browser.get(authorizePath(client, { scope: 'read:statuses' })))).toHaveProperty(
      'code',
    )
    expect((await browser.get(authorizePath(client, { scope: 'read write' }))).status).toBe(200)

    const forced = await browser.get(authorizePath(client, { force_login: 'true', lang: 'de' }))
    expect(forced.location).toMatch(/^\/auth\/sign_in/)
    expect((await browser.get('/oauth/authorized_applications')).status).toBe(302)
    const form = (await browser.get(forced.location!)).form('/auth/sign_in')
    const back = await browser.submit(form, { 'user[email]': alice.email, 'user[password]': password })
    const consent = await browser.get(back.location!)
    expect(consent.status).toBe(200)
    expect(consent.text).toContain('Erlauben')
  })

  test('answers in the fragment or by a form where asked, without our own form token', async () => {
    const { browser, client } = await scene({ redirectUri: 'com.example.app:/cb' })
    const fragment = await allow(browser, client, { response_mode: 'fragment', state: 'x y' })
    expect(fragment.location).toMatch(/^com\.example\.app:\/cb#code=[\w-]{43}&state=x%20y$/)
    const posted = await allow(browser, await registerClient(app), {
      response_mode: 'form_post',
      state: '"><b>',
    })
    expect(posted.status).toBe(200)
    expect(posted.form(callback).fields).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: '"><b>',
    })
    const policy = posted.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self'; form-action 'self' https://app.example")
  })

  test('a redirect address with a query keeps it', async () => {
    const { browser, client } = await scene({ redirectUri: 'https://app.example/cb?a=1' })
    expect((await allow(browser, client)).location).toMatch(
      /^https:\/\/app\.example\/cb\?a=1&code=[\w-]{43}$/,
    )
  })
})

describe('codes', () => {
  test('used twice, a code is refused and its token dies [AUTH-1]', async () => {
    const { newCode, exchange } = await scene()
    const code = await newCode()
    const { body } = await exchange(code)
    const again = await exchange(code)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    const answer = await withToken(body.access_token).get('/api/v1/timelines/home')
    expect([answer.status, answer.body.error]).toEqual([401, 'The access token was revoked'])
  })

  test('of many at once exactly one is answered [AUTH-1]', async () => {
    const { newCode, exchange } = await scene()
    const code = await newCode()
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(code)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  })

  test('a code of another client or with another address is refused, and stays good for its own [AUTH-2]', async () => {
    const { newCode, exchange } = await scene({ redirectUris: [callback, `${callback}2`] })
    const code = await newCode()
    const thief = await registerClient(app)
    const stolen = await askToken(app, thief, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
    })
    expect(stolen.body.error).toBe('invalid_grant')
    for (const redirect_uri of [`${callback}2`, `${callback}/`, 'https://evil.example/']) {
      expect((await exchange(code, { redirect_uri })).body.error).toBe('invalid_grant')
    }
    expect((await exchange(code)).status).toBe(200)
  })

  test('PKCE wants its verifier, and S256 [AUTH-3]', async () => {
    const { newCode, exchange, browser, client } = await scene()
    const verifier = newVerifier()
    const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }
    const code = await newCode(pkce)
    for (const wrong of ['', newVerifier(), pkce.code_challenge, `${verifier}x`]) {
      expect((await exchange(code, { code_verifier: wrong })).body.error).toBe('invalid_grant')
    }
    expect((await exchange(code, { code_verifier: verifier })).status).toBe(200)
    expect((await exchange(await newCode(), { code_verifier: verifier })).body.error).toBe('invalid_grant')
    const bad = [
      { code_challenge_method: 'plain' },
      { code_challenge_method: '' },
      { code_challenge: '' },
      { code_challenge: 'short' },
    ]
    for (const change of bad) {
      const seen = await browser.get(authorizePath(client, { ...pkce, ...change }))
      expect([seen.location?.startsWith(`${callback}?`), carried(seen)['error']]).toEqual([
        true,
        'invalid_request',
      ])
    }
  })

  test('a code lives ten minutes', async () => {
    const { newCode, exchange } = await scene()
    const [early, late] = [await newCode(), await newCode()]
    app.clock.advance(minutes(9.9))
    expect((await exchange(early)).status).toBe(200)
    app.clock.advance(minutes(0.2))
    expect((await exchange(late)).body.error).toBe('invalid_grant')
  })
})

describe('what is asked of the authorise page', () => {
  test('a redirect address that differs in anything leads nowhere [AUTH-4]', async () => {
    const { browser, client } = await scene({ redirectUri: 'https://app.example/cb?a=1' })
    const others = [
      'https://evil.example/cb?a=1',
      'https://app.example.evil.example/cb?a=1',
      'https://app.example/cb/?a=1',
      'https://app.example/CB?a=1',
      'https://app.example/cb/../cb?a=1',
      'https://app.example/cb',
      'https://app.example/cb?a=1&b=2',
      'https://app.example:443/cb?a=1',
      'https://user@app.example/cb?a=1',
      'https://app.example@evil.example/cb?a=1',
      'https://app.example/cb?a=1#f',
      'http://app.example/cb?a=1',
      'https://APP.example/cb?a=1',
      ' https://app.example/cb?a=1',
      'https://app.example/cb?a=1\n',
      '',
    ]
    for (const redirect_uri of others) {
      const seen = await browser.get(authorizePath(client, { redirect_uri }))
      expect([redirect_uri, seen.status, seen.location]).toEqual([redirect_uri, 400, null])
      expect(seen.text).toContain('This app made a mistake')
    }
    const twice = `${authorizePath(client)}&redirect_uri=${encodeURIComponent('https://evil.example/')}`
    expect((await browser.get(twice)).status).toBe(400)
    const arrays = await browser.get(
      `/oauth/authorize?client_id=${client.id}&redirect_uri[]=${encodeURIComponent(client.redirectUri)}`,
    )
    expect([arrays.status, arrays.location]).toEqual([400, null])
  })

  test('neither does the form that comes after [AUTH-4]', async () => {
    const { browser, client } = await scene()
    const form = (await browser.get(authorizePath(client))).form('/oauth/authorize')
    const seen = await browser.submit(form, { redirect_uri: 'https://evil.example/' })
    expect([seen.status, seen.location]).toEqual([400, null])
    const unknown = await browser.get(authorizePath({ ...client, id: 'nobody\0' }))
    expect([unknown.status, unknown.location]).toEqual([400, null])
  })

  test('errors go to the registered address, with the state as it came [AUTH-5]', async () => {
    const { browser, client } = await scene()
    const states = ['xyz', 'a b+c', '%20', 'é✓', '"<script>', '=&#?', 'x'.repeat(500)]
    for (const state of states) {
      const seen = await browser.get(authorizePath(client, { response_type: 'token', state }))
      expect(seen.location).toMatch(/^https:\/\/app\.example\/cb\?error=unsupported_response_type&/)
      expect(carried(seen)['state']).toBe(state)
      expect(carried(await allow(browser, client, { state }))['state']).toBe(state)
    }
    expect(carried(await browser.get(authorizePath(client, { response_type: '' })))['error']).toBe(
      'invalid_request',
    )
    expect(carried(await browser.get(authorizePath(client, { response_mode: 'web_message' })))['error']).toBe(
      'invalid_request',
    )
  })

  test('an application cannot get more than it registered [AUTH-6]', async () => {
    const { browser, client, newCode, exchange } = await scene({ scopes: 'read write:statuses' })
    for (const scope of ['write', 'read write', 'push', 'follow', 'admin:read', 'read nonsense']) {
      const seen = await browser.get(authorizePath(client, { scope }))
      expect([scope, carried(seen)['error']]).toEqual([scope, 'invalid_scope'])
      const own = await askToken(app, client, { grant_type: 'client_credentials', scope })
      expect([scope, own.status, own.body.error]).toEqual([scope, 400, 'invalid_scope'])
    }
    expect((await exchange(await newCode({ scope: 'read:search write:statuses' }))).body.scope).toBe(
      'read:search write:statuses',
    )
    expect((await exchange(await newCode({ scope: '' }))).body.scope).toBe('read')
  })

  test('read and write together are enough for follow', async () => {
    const { exchange, newCode } = await scene({ scopes: 'read write' })
    expect((await exchange(await newCode({ scope: 'follow' }))).body.scope).toBe('follow')
  })
})

test('no secret is in the database or in the logs [AUTH-9]', async () => {
  const { browser, client } = await scene({ scopes: 'read offline_access' })
  const sent = await allow(browser, client, { scope: 'read offline_access', state: 'st' })
  const code = carried(sent)['code']!
  const body = await obtainToken(app, browser, client, 'read offline_access')
  await askToken(app, client, { grant_type: 'authorization_code', code, redirect_uri: callback })
  await withToken(body.access_token).get('/api/v1/timelines/home')
  await app.fetch(`/api/v1/timelines/home?access_token=${body.access_token}`)
  const secrets = [
    client.secret,
    code,
    body.access_token,
    body.refresh_token,
    password,
    ...browser.cookies.values(),
  ]
  expect(secrets.every((secret) => typeof secret === 'string' && secret.length > 10)).toBe(true)
  const dump = await dumpDatabase()
  const logs = JSON.stringify(app.logLines)
  expect(dump).toContain(client.id)
  for (const secret of secrets) {
    const forms = [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret, 'base64url').toString('hex'),
    ]
    for (const form of forms) expect(dump.includes(form) || logs.includes(form)).toBe(false)
  }
})

/** Every row of every table as text; bytes as hex. */
async function dumpDatabase(): Promise<string> {
  const tables = await app.ctx.db.introspection.getTables()
  const rows: unknown[] = []
  for (const { name, schema } of tables) {
    if (schema !== 'public') continue
    rows.push(
      ...(await app.ctx.db
        .selectFrom(name as 'accounts')
        .selectAll()
        .execute()),
    )
  }
  return JSON.stringify(rows, (_, value: unknown) =>
    value !== null && typeof value === 'object' && (value as { type?: unknown }).type === 'Buffer'
      ? Buffer.from((value as { data: number[] }).data).toString('hex')
      : value,
  )
}

test('any verifier fits its own challenge and no other [AUTH-3]', () => {
  const verifiers = fc.stringMatching(/^[A-Za-z0-9._~-]{43,128}$/)
  fc.assert(
    fc.property(verifiers, verifiers, (verifier, other) => {
      expect(verifierFits(challengeOf(verifier), verifier)).toBe(true)
      expect(verifierFits(challengeOf(verifier), other)).toBe(verifier === other)
      expect(verifierFits(verifier, verifier)).toBe(false)
      expect(verifierFits(null, verifier)).toBe(false)
    }),
  )
})
