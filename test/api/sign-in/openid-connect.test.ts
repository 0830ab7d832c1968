import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import type { IpBlockId } from '#lib/id.ts'
import { startApp, type TestApp } from '#test/app/app.ts'
import type { Browser } from '#test/client/browser.ts'
import { newBrowser, password, personWithPassword, signedIn, fillSignIn } from '#test/people/sign-in.ts'
import {
  startOpenidProvider,
  type OpenidProvider,
  type ProvidedPerson,
} from '#test/servers/openid-provider.ts'

const callback = 'https://chat.example/auth/auth/openid_connect/callback'
const begin = '/auth/auth/openid_connect'
const signInPage = 'https://chat.example/auth/sign_in'
let idp: OpenidProvider
let app: TestApp
let attaching: TestApp
let only: TestApp
let number = 0
/** Each test has people of its own. */
const someone = (more: Partial<ProvidedPerson> = {}): ProvidedPerson => {
  number += 1
  return {
    sub: `subject-${number}`,
    email: `person${number}@id.example`,
    email_verified: true,
    preferred_username: `person.${number}`,
    ...more,
  }
}

beforeAll(async () => {
  idp = await startOpenidProvider(callback)
  app = await startApp({ env: idp.env })
  attaching = await startApp({ env: { ...idp.env, ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH: 'true' } })
  only = await startApp({
    env: { ...idp.env, OMNIAUTH_ONLY: 'true', OIDC_IDP_LOGOUT_REDIRECT_URI: signInPage },
  })
})
afterAll(async () => {
  await Promise.all([app, attaching, only].map((one) => one?.close()))
  await idp?.close()
})
beforeEach(() => idp.signIn(null))

/** Presses the button on a page, visits the provider as this person, and comes back. */
async function through(browser: Browser, person: ProvidedPerson | null, from = '/auth/sign_in') {
  const page = await browser.get(from)
  const sent = await browser.submit(page.form(begin))
  expect(sent.status).toBe(200)
  idp.signIn(person)
  const back = await idp.visit(addressOf(sent.text))
  return browser.get(back.pathname + back.search)
}

const addressOf = (text: string) =>
  /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')

/** Goes through as somebody new and accepts what is asked. */
async function arrive(browser: Browser, person: ProvidedPerson, fields: Record<string, string> = {}) {
  const back = await through(browser, person)
  expect([back.status, back.location]).toEqual([303, '/auth/identity'])
  const page = await browser.get('/auth/identity')
  return browser.submit(page.form('/auth/identity'), { agreement: '1', ...fields })
}

const nameOf = async (browser: Browser) =>
  /Signed in as @(\w+)/.exec((await browser.get('/settings/sessions')).text)?.[1] ?? null
const usersWith = (where: TestApp, email: string) =>
  where.ctx.db.selectFrom('users').selectAll().where('email', '=', email).execute()
const identities = (where: TestApp) => where.ctx.db.selectFrom('identities').selectAll().execute()

describe('signing in by OpenID Connect', () => {
  test('a new person chooses a name, accepts the rules, and is signed in; the next time nothing is asked', async () => {
    const person = someone()
    const browser = newBrowser(app)
    const back = await through(browser, person)
    expect(back.location).toBe('/auth/identity')
    const page = await browser.get('/auth/identity')
    expect(page.form('/auth/identity').fields['username']).toBe(`person${number}`)
    expect(page.text).toContain(person.email)
    const refused = await browser.submit(page.form('/auth/identity'), { agreement: '' })
    expect(refused.status).toBe(422)
    expect(await usersWith(app, person.email!)).toEqual([])
    const made = await browser.submit(page.form('/auth/identity'), { agreement: '1', username: 'chosen' })
    expect([made.status, made.location]).toEqual([303, '/'])
    expect(await nameOf(browser)).toBe('chosen')
    const again = newBrowser(app)
    expect((await through(again, person)).location).toBe('/')
    expect(await nameOf(again)).toBe('chosen')
  })

  test('the way goes on to where it was asked for, on this server only', async () => {
    const person = someone()
    await arrive(newBrowser(app), person)
    for (const [target, end] of [
      ['/settings/export', '/settings/export'],
      ['//evil.example/', '/'],
    ] as const) {
      const from = `/auth/sign_in?${new URLSearchParams({ return_to: target })}`
      expect((await through(newBrowser(app), person, from)).location).toBe(end)
    }
  })

  test('a taken name is not proposed, and a name that was chosen may not be taken', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = newBrowser(app)
    await through(browser, someone({ preferred_username: alice.username }))
    const page = await browser.get('/auth/identity')
    expect(page.form('/auth/identity').fields['username']).toBe(`${alice.username}_1`)
    const seen = await browser.submit(page.form('/auth/identity'), {
      agreement: '1',
      username: alice.username,
    })
    expect(seen.status).toBe(422)
    expect(await nameOf(browser)).toBeNull()
  })

  test('an address that the provider has not verified waits for its mail', async () => {
    const person = someone({ email_verified: false })
    const browser = newBrowser(app)
    expect((await arrive(browser, person)).location).toBe('/auth/setup')
    expect((await usersWith(app, person.email!))[0]).toMatchObject({ confirmed_at: null })
    await app.settle()
    expect(app.mails.filter(({ to }) => to === person.email).length).toBe(1)
  })

  test('a known address with an unknown subject signs nobody in, however verified it is [AUTH-18]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = newBrowser(app)
    const person = someone({ email: alice.email })
    const seen = await arrive(browser, person)
    expect(seen.status).toBe(422)
    expect(await nameOf(browser)).toBeNull()
    expect((await identities(app)).filter(({ uid }) => uid === person.sub)).toEqual([])
    expect(
      (await app.ctx.db.selectFrom('sessions').select('id').where('user_id', '=', alice.userId).execute())
        .length,
    ).toBe(0)
  })

  test('a signed-in owner connects it, is told by mail, signs in by it, and takes it off [AUTH-18]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const person = someone()
    const browser = await signedIn(app, alice)
    expect((await through(browser, person, '/settings/identities')).location).toBe('/settings/identities')
    const other = newBrowser(app)
    await through(other, person)
    expect(await nameOf(other)).toBe(alice.username)
    const page = await browser.get('/settings/identities')
    expect(page.text).toContain('Example ID')
    await browser.submit(page.form('/settings/identities/openid_connect/remove'))
    expect((await through(newBrowser(app), person)).location).toBe('/auth/identity')
    await app.settle()
    const subjects = app.mails.filter(({ to }) => to === alice.email).map(({ subject }) => subject)
    expect(subjects.toSorted()).toEqual([
      expect.stringContaining('New way to sign in'),
      expect.stringContaining('Way to sign in removed'),
    ])
  })

  test('an identity belongs to one person, and the person to one identity of a provider [AUTH-18]', async () => {
    const person = someone()
    await arrive(newBrowser(app), person)
    const browser = await signedIn(app, await personWithPassword(app, 'bob'))
    const seen = await through(browser, person, '/settings/identities')
    expect([seen.status, seen.text]).toEqual([403, expect.stringContaining('Somebody else')])
    expect((await through(browser, someone(), '/settings/identities')).status).toBe(303)
    const page = await browser.get('/settings/identities')
    expect(page.forms.some(({ action }) => action === begin)).toBe(false)
  })

  test('an answer counts only in the browser that asked, once, and for whoever was signed in then [AUTH-18]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const victim = await signedIn(app, alice)
    const person = someone()
    const attacker = newBrowser(app)
    const sent = await attacker.submit((await attacker.get('/auth/sign_in')).form(begin))
    idp.signIn(person)
    const back = await idp.visit(addressOf(sent.text))
    // The victim is made to open the attacker's answer.
    expect((await victim.get(back.pathname + back.search)).status).toBe(400)
    // Begun by a stranger and ended by somebody signed in: nothing is connected.
    await fillSignIn(attacker, alice.email)
    expect((await attacker.get(back.pathname + back.search)).status).toBe(400)
    expect((await identities(app)).some(({ uid }) => uid === person.sub)).toBe(false)
    const other = newBrowser(app)
    const seen = await other.submit((await other.get('/auth/sign_in')).form(begin))
    const own = await idp.visit(addressOf(seen.text))
    own.searchParams.set('state', 'another')
    expect((await other.get(own.pathname + own.search)).status).toBe(403)
    own.searchParams.delete('state')
    expect((await other.get(own.pathname + own.search)).status).toBe(400)
  })

  test('nobody is sent to a provider by a page of somebody else [AUTH-10]', async () => {
    const browser = newBrowser(app)
    const page = await browser.get('/auth/sign_in')
    const sent = await browser.submit(
      page.form(begin),
      {},
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    )
    expect(sent.status).toBe(422)
    expect((await browser.get(begin)).status).toBe(404)
  })

  test('a refusal at the provider is said, and nothing is kept', async () => {
    const browser = newBrowser(app)
    const seen = await through(browser, null)
    expect([seen.status, seen.text]).toEqual([403, expect.stringContaining('did not let you in')])
    expect(await nameOf(browser)).toBeNull()
  })

  test('a name that the provider gave to somebody else opens nothing [AUTH-18]', async () => {
    const person = someone()
    await arrive(newBrowser(app), person)
    await app.ctx.db
      .updateTable('identities')
      .set({ subject: 'an-earlier-one' })
      .where('uid', '=', person.sub)
      .execute()
    expect((await through(newBrowser(app), person)).status).toBe(403)
  })

  test('a disabled login stays out', async () => {
    const person = someone()
    await arrive(newBrowser(app), person)
    const [user] = await usersWith(app, person.email!)
    const set = (change: object) =>
      app.ctx.db.updateTable('users').set(change).where('id', '=', user!.id).execute()
    await set({ disabled: true })
    const browser = newBrowser(app)
    expect((await through(browser, person)).status).toBe(403)
    expect(await nameOf(browser)).toBeNull()
  })

  test('approval, closed registrations and blocked addresses hold for new people', async () => {
    const waiting = someone()
    await setSetting(app.ctx, 'registrations_mode', 'approved')
    await arrive(newBrowser(app), waiting, { reason: 'to read' })
    await setSetting(app.ctx, 'registrations_mode', 'none')
    const browser = newBrowser(app)
    await through(browser, someone())
    expect((await browser.get('/auth/identity')).status).toBe(403)
    await setSetting(app.ctx, 'registrations_mode', 'open')
    expect((await usersWith(app, waiting.email!))[0]).toMatchObject({ approved: false })
    const seen = await through(newBrowser(app), waiting)
    expect([seen.status, seen.text]).toEqual([403, expect.stringContaining('waits for approval')])
    const values = { id: app.ctx.newId<IpBlockId>(), ip: '203.0.113.0/24', severity: 'sign_up_block' }
    await app.ctx.db
      .insertInto('ip_blocks')
      .values({ ...values, expires_at: null })
      .execute()
    app.clock.advance(6_000)
    const person = someone()
    const blocked = newBrowser(app)
    await through(blocked, person)
    const form = (await blocked.get('/auth/identity')).form('/auth/identity')
    const refused = await blocked.submit(form, { agreement: '1' }, { 'x-forwarded-for': '203.0.113.9' })
    expect(refused.status).toBe(403)
    expect(await usersWith(app, person.email!)).toEqual([])
  })

  test('a verified address is believed only where the operator wants it so [AUTH-18]', async () => {
    const alice = await personWithPassword(attaching, 'alice')
    const browser = newBrowser(attaching)
    expect((await through(browser, someone({ email: alice.email, email_verified: false }))).location).toBe(
      '/auth/identity',
    )
    const person = someone({ email: alice.email })
    expect((await through(newBrowser(attaching), person)).location).toBe('/')
    // Another subject with the same address is not she.
    expect((await through(newBrowser(attaching), someone({ email: alice.email }))).location).toBe(
      '/auth/identity',
    )
    expect((await identities(attaching)).map(({ uid }) => uid)).toEqual([person.sub])
  })

  test('with OMNIAUTH_ONLY passwords open nothing, and nobody signs up but through a provider', async () => {
    const alice = await personWithPassword(only, 'alice')
    const browser = newBrowser(only)
    const page = await browser.get('/auth/sign_in')
    expect(page.forms.map(({ action }) => action)).toEqual([begin])
    const token = page.form(begin).fields['authenticity_token']!
    const tried = await browser.post('/auth/sign_in', {
      authenticity_token: token,
      'user[email]': alice.email,
      'user[password]': password,
    })
    expect(tried.status).toBe(422)
    expect((await browser.get('/auth/sign_up')).location).toBe('/auth/sign_in')
    const person = someone()
    const own = newBrowser(only)
    await arrive(own, person)
    expect(await nameOf(own)).toBe(`person${number}`)
    const settings = await own.get('/settings/identities')
    const kept = await own.submit(settings.form('/settings/identities/openid_connect/remove'))
    expect([kept.status, (await identities(only)).length]).toEqual([422, 1])
  })

  test('who comes in by the provider alone signs out there too, and other people only here', async () => {
    const [alone, also] = [newBrowser(only), newBrowser(app)]
    const [left, stayed] = await Promise.all(
      [alone, also].map(async (browser) => {
        await arrive(browser, someone())
        return browser.submit((await browser.get('/settings/sessions')).form('/auth/sign_out'))
      }),
    )
    const url = new URL(addressOf(left!.text))
    expect([left!.status, url.origin + url.pathname]).toEqual([200, `${idp.issuer}/session/end`])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'stonechat',
      post_logout_redirect_uri: signInPage,
    })
    // The provider takes it, and asks whether it is meant.
    expect((await fetch(url)).status).toBe(200)
    expect([stayed!.status, stayed!.location]).toEqual([303, '/'])
    expect([await nameOf(alone), await nameOf(also)]).toEqual([null, null])
  })

  test('an address inside that a provider names is not reached, though the provider itself is there [SSRF-15]', async () => {
    let reached = 0
    const inside = createServer((_, response) => {
      reached += 1
      response.end('{}')
    }).listen(0, '127.0.0.2')
    await once(inside, 'listening')
    const issuer = createServer((_, response) => {
      const { port } = inside.address() as AddressInfo
      const there = `http://127.0.0.2:${port}`
      const urls = { token_endpoint: `${there}/token`, jwks_uri: `${there}/jwks` }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer: own, authorization_endpoint: `${own}/auth`, ...urls }))
    }).listen(0, '127.0.0.1')
    await once(issuer, 'listening')
    const own = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`
    const other = await startApp({ env: { ...idp.env, OIDC_ISSUER: own } })
    try {
      const browser = newBrowser(other)
      const sent = await browser.submit((await browser.get('/auth/sign_in')).form(begin))
      const state = new URL(addressOf(sent.text)).searchParams.get('state')
      const seen = await browser.get(`${begin}/callback?${new URLSearchParams({ code: 'x', state: state! })}`)
      expect([seen.status, reached]).toEqual([503, 0])
    } finally {
      await other.close()
      inside.close()
      issuer.close()
    }
  })

  test('a second provider has numbered variables and an address of its own', async () => {
    const numbered = Object.entries(idp.env).map(([name, value]) => [name.replace('OIDC_', 'OIDC_2_'), value])
    const other = await startApp({
      env: { ...idp.env, ...Object.fromEntries(numbered), OIDC_2_DISPLAY_NAME: 'Second ID' },
    })
    try {
      const browser = newBrowser(other)
      const page = await browser.get('/auth/sign_in')
      expect(page.text).toContain('Sign in with Second ID')
      const sent = await browser.submit(page.form('/auth/auth/openid_connect_2'))
      const { searchParams } = new URL(addressOf(sent.text))
      expect(searchParams.get('redirect_uri')).toBe(callback.replace('connect', 'connect_2'))
      expect(searchParams.get('code_challenge_method')).toBe('S256')
    } finally {
      await other.close()
    }
  })
})
