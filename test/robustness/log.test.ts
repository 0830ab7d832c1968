// What the log tells, and what it must not tell.
import { beforeAll, describe, expect, test } from 'vitest'
import { useApp, type TestApp } from '#test/app/app.ts'
import { createBrowser } from '#test/client/browser.ts'
import { allow, askToken, carried, challengeOf, newVerifier, registerClient } from '#test/client/oauth.ts'
import { makeSignUpApp, mailedPath } from '#test/people/registration.ts'

const recorded = useApp()
// Somebody runs the server: without any account it is not set up, and nobody can sign up.
beforeAll(() => recorded.person('host'))

interface Asked {
  method: string
  path: string
  id: string | null
  status: number
}

/** The same app, with its requests and all cookies that it gives written down. */
function watched(): { app: TestApp; asked: Asked[]; cookies: Set<string> } {
  const asked: Asked[] = []
  const cookies = new Set<string>()
  const fetch: TestApp['fetch'] = async (path, init) => {
    const response = await recorded.fetch(path, init)
    const { pathname } = new URL(path, recorded.ctx.config.baseUrl)
    asked.push({
      method: init?.method ?? 'GET',
      path: pathname,
      id: response.headers.get('x-request-id'),
      status: response.status,
    })
    for (const line of response.headers.getSetCookie()) {
      const value = line.slice(line.indexOf('=') + 1).split(';')[0] ?? ''
      if (value.length > 8) cookies.add(value)
    }
    return response
  }
  const app = new Proxy(recorded, {
    get: (target, name) => (name === 'fetch' ? fetch : target[name as keyof TestApp]),
  })
  return { app, asked, cookies }
}

describe('the log', () => {
  test('has one line for each request with its id, and no secret: [AUTH-9]', async () => {
    const { app, asked, cookies } = watched()
    const origin = new URL(app.ctx.config.baseUrl).origin
    const secrets = new Map<string, string>()
    const keep = (name: string, value: string) => {
      // Anything shorter could turn up by chance.
      expect(value.length).toBeGreaterThan(5)
      secrets.set(name, value)
      return value
    }
    const password = keep('password', 'correct horse battery staple 91')
    const wrong = keep('wrong password', 'not that horse at all 17')
    const changed = keep('new password', 'another animal entirely 33')
    const diary = keep('private text', 'dear diary, nobody may read of the otter')

    // Sign-up, with mistakes on the way.
    const through = await makeSignUpApp(app)
    const newcomer = {
      username: 'secretive',
      email: keep('address', 'otter.keeper@mail.example'),
      password,
      agreement: true,
      locale: 'en',
      reason: keep('reason', 'because of the badgers'),
    }
    expect((await through.post('/api/v1/accounts', { ...newcomer, email: 'no address' })).status).toBe(422)
    const made = (await through.post('/api/v1/accounts', newcomer)).ok()
    keep('sign-up token', made.access_token)
    expect((await through.post('/api/v1/accounts', newcomer)).status).toBe(422)
    const confirmation = await mailedPath(app, newcomer.email)
    keep(
      'confirmation token',
      new URLSearchParams(confirmation.split('?')[1]).get('confirmation_token') as string,
    )
    await createBrowser(app.fetch, origin).get(confirmation)

    // Sign-in, wrong and right, and a token for an application.
    const client = await registerClient(app)
    keep('client secret', client.secret)
    const browser = createBrowser(app.fetch, origin)
    const signIn = async (secret: string) =>
      browser.submit((await browser.get('/auth/sign_in')).form('/auth/sign_in'), {
        'user[email]': newcomer.email,
        'user[password]': secret,
      })
    expect((await signIn(wrong)).status).toBe(422)
    expect((await signIn(password)).status).toBe(303)
    const verifier = keep('verifier', newVerifier())
    const seen = await allow(browser, client, {
      scope: 'read write',
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      state: keep('state', 'state-of-the-otter'),
    })
    const code = keep('code', carried(seen)['code'] as string)
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri }
    expect((await askToken(app, client, { ...exchange, code_verifier: newVerifier() })).status).toBe(400)
    const again = keep(
      'second code',
      carried(
        await allow(browser, client, {
          scope: 'read write',
          code_challenge: challengeOf(verifier),
          code_challenge_method: 'S256',
        }),
      )['code'] as string,
    )
    const issued = await askToken(app, client, { ...exchange, code: again, code_verifier: verifier })
    expect(issued.status).toBe(200)
    const token = keep('token', issued.body.access_token)
    // The same code again: a reuse is worth a line, the code is not.
    expect((await askToken(app, client, { ...exchange, code: again, code_verifier: verifier })).status).toBe(
      400,
    )

    // Posting, searching, and doing it wrong.
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const post = (body: string, path = '/api/v1/statuses') =>
      app.fetch(path, { method: 'POST', headers, body })
    await post(JSON.stringify({ status: diary, visibility: 'direct' }))
    await post(`{"status": "${diary}`)
    await post(JSON.stringify({ status: [diary], visibility: diary }))
    await post(JSON.stringify({ status: diary.repeat(100) }))
    await app.fetch(`/api/v1/accounts/search?q=${encodeURIComponent(diary)}&access_token=${token}`)
    await app.fetch(`/api/v1/timelines/home?access_token=${token}&max_id=${encodeURIComponent(diary)}`)
    await app.fetch('/oauth/authorize?' + new URLSearchParams({ client_id: 'x', state: diary }))
    await app.fetch('/api/v1/timelines/home', {
      headers: { authorization: `Bearer ${keep('unknown token', 'no-such-token-1234567')}` },
    })

    // A password that was forgotten.
    const stranger = createBrowser(app.fetch, origin)
    await stranger.submit((await stranger.get('/auth/password/new')).form('/auth/password'), {
      email: newcomer.email,
    })
    const reset = await mailedPath(app, newcomer.email)
    keep('reset token', new URLSearchParams(reset.split('?')[1]).get('reset_password_token') as string)
    const form = (await stranger.get(reset)).form('/auth/password')
    expect((await stranger.submit(form, { password: changed })).status).toBe(200)
    await app.settle()

    const lines = app.logLines.filter((line) => line.message === 'request')
    const byId = new Map(lines.map((line) => [line.fields['requestId'], line.fields]))
    expect(byId.size).toBe(lines.length)
    expect(asked.length).toBeGreaterThan(20)
    for (const { id, method, path, status } of asked) {
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(byId.get(id)).toMatchObject({ method, path, status })
    }

    for (const [index, cookie] of [...cookies].entries()) keep(`cookie ${index}`, cookie)
    expect(cookies.size).toBeGreaterThan(1)
    for (const mail of app.mails) {
      for (const line of mail.text.split('\n').filter((one) => one.trim().length > 20))
        secrets.set(`mail: ${line}`, line.trim())
    }
    const text = JSON.stringify(app.logLines, (_, value: unknown) =>
      value instanceof Error ? `${value.stack}` : value,
    )
    const told = [...secrets].filter(
      ([, value]) =>
        text.includes(value) ||
        text.includes(encodeURIComponent(value)) ||
        text.includes(JSON.stringify(value).slice(1, -1)),
    )
    expect(told.map(([name]) => name)).toEqual([])
    expect(app.logLines.filter((line) => line.message === 'unhandled error')).toEqual([])
  })

  test('has what people ask for at info, and what programs ask for every few seconds at debug', async () => {
    const levelOf = async (path: string) => {
      const id = (await recorded.fetch(path)).headers.get('x-request-id')
      return recorded.logLines.find((line) => line.fields['requestId'] === id)?.level
    }
    for (const path of ['/health', '/health/', '/health?full', '/metrics', '/api/v1/streaming/health'])
      expect([path, await levelOf(path)]).toEqual([path, 'debug'])
    for (const path of ['/api/v2/instance', '/healthy', '/metrics/x', '/'])
      expect([path, await levelOf(path)]).toEqual([path, 'info'])
  })
})
