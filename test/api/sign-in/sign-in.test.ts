import { describe, expect, test } from 'vitest'
import { startApp, useApp } from '#test/app/app.ts'
import { hours } from '#test/app/clock.ts'
import { createBrowser } from '#test/client/browser.ts'
import {
  fillSignIn,
  hashAsChosen,
  newBrowser,
  password,
  personWithPassword,
  signedIn,
} from '#test/people/sign-in.ts'
import { sql } from 'kysely'
import { findLogin } from '#domain/identity/oauth/login.ts'
import { startSession } from '#domain/identity/oauth/sessions.ts'
import { pages } from '#http/web/pages.ts'

const app = useApp()
const sessionName = '__Host-stonechat_session'
const formName = '__Host-stonechat_form'

describe('signing in', () => {
  test('by e-mail address and by username, in any case', async () => {
    const alice = await personWithPassword(app, 'alice')
    for (const name of [
      alice.email,
      alice.email.toUpperCase(),
      alice.username,
      `@${alice.username.toUpperCase()}`,
    ]) {
      const browser = newBrowser(app)
      const seen = await fillSignIn(browser, name)
      expect([seen.status, seen.location]).toEqual([303, '/'])
      const page = await browser.get('/oauth/authorized_applications')
      expect(page.text).toContain(`@${alice.username}`)
    }
  })

  test('leads nobody round and round between a page and the sign-in page', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    for (const [change, end] of [
      [{ confirmed_at: null }, '/auth/setup'],
      [{ confirmed_at: new Date(app.clock.now()), approved: false }, '/'],
    ] as const) {
      await app.ctx.db.updateTable('users').set(change).where('id', '=', alice.userId).execute()
      for (const path of ['/invites', '/statuses_cleanup', '/settings/followers']) {
        let seen = await browser.get(path)
        for (let steps = 0; seen.status === 302 || seen.status === 303; steps++) {
          expect([path, steps, seen.location]).not.toEqual([path, 3, seen.location])
          if (seen.location === end) break
          seen = await browser.get(seen.location!)
        }
        expect([path, seen.location]).toEqual([path, end])
      }
    }
  })

  test('leads back to where it was asked for, on this server only', async () => {
    const alice = await personWithPassword(app, 'alice')
    const go = async (target: string) =>
      (
        await fillSignIn(
          newBrowser(app),
          alice.email,
          password,
          `/auth/sign_in?${new URLSearchParams({ return_to: target })}`,
        )
      ).location
    expect(await go('/oauth/authorized_applications?x=1')).toBe('/oauth/authorized_applications?x=1')
    const bad = [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example/',
      '/\t/evil.example',
      'javascript:alert(1)',
      '/..//evil.example',
      'x',
    ]
    for (const target of bad) expect(await go(target)).toBe('/')
  })

  test('is told to those who are signed in', async () => {
    const browser = await signedIn(app, await personWithPassword(app, 'alice'))
    const seen = await browser.get('/auth/sign_in?return_to=/x')
    expect([seen.status, seen.location]).toEqual([303, '/x'])
  })

  test('a wrong name and a wrong password answer the same, in comparable time [AUTH-15]', async () => {
    const alice = await personWithPassword(app, 'alice')
    await hashAsChosen(app, alice)
    const attempt = async (name: string) => {
      const began = process.cpuUsage()
      const seen = await fillSignIn(newBrowser(app), name, 'wrong password')
      const { user, system } = process.cpuUsage(began)
      const text = seen.text.replaceAll(name, 'NAME').replaceAll(/value="[\w-]{86}"/g, '')
      // Of the processor: a busy machine does not tell on anybody.
      return { time: user + system, status: seen.status, text }
    }
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let i = 0; i < 5; i++) {
      const known = await attempt(alice.email)
      const unknown = await attempt('nobody@mail.example')
      expect(unknown.status).toBe(422)
      expect({ ...unknown, time: 0 }).toEqual({ ...known, time: 0 })
      times.known.push(known.time)
      times.unknown.push(unknown.time)
    }
    const ratio = Math.min(...times.unknown) / Math.min(...times.known)
    expect(ratio).toBeGreaterThan(0.4)
    expect(ratio).toBeLessThan(2.5)
  })

  test('unconfirmed, waiting and disabled logins are told so, to those who know the password', async () => {
    const unconfirmed = await personWithPassword(app, 'una', { confirmed: false })
    const waiting = await personWithPassword(app, 'wim', { approved: false })
    const disabled = await personWithPassword(app, 'dis')
    await app.ctx.db.updateTable('users').set({ disabled: true }).where('id', '=', disabled.userId).execute()
    const told = {
      [unconfirmed.email]: 'href="/auth/confirmation/new"',
      [waiting.email]: 'waits for approval',
      [disabled.email]: 'disabled',
    }
    for (const [name, words] of Object.entries(told)) {
      const browser = newBrowser(app)
      const right = await fillSignIn(browser, name)
      expect(right.status).toBe(403)
      expect(right.text).toContain(words)
      expect(browser.cookies.has(sessionName)).toBe(false)
      expect((await fillSignIn(browser, name, 'wrong password')).status).toBe(422)
    }
  })

  test('speaks German to those who want it', async () => {
    expect(
      (await newBrowser(app).get('/auth/sign_in', { 'accept-language': 'nl, de-AT;q=0.8, en;q=0.5' })).text,
    ).toContain('Passwort')
    expect((await newBrowser(app).get('/auth/sign_in?lang=de')).text).toContain('<html lang="de" dir="ltr"')
    expect((await newBrowser(app).get('/auth/sign_in', { 'accept-language': 'de;q=0, xx' })).text).toContain(
      '<html lang="en" dir="ltr"',
    )
  })

  test('what was typed comes back escaped', async () => {
    const seen = await fillSignIn(newBrowser(app), '"><script>alert(1)</script>', 'x')
    expect(seen.text).not.toContain('<script')
  })

  test('odd input is no server error', async () => {
    const browser = newBrowser(app)
    for (const name of ['\0', 'a\0b@mail.example', 'x'.repeat(10_000), '']) {
      expect((await fillSignIn(browser, name, 'y'.repeat(2000))).status).toBe(422)
    }
    expect((await browser.get('/auth/sign_in?user[email][]=x&user=1')).status).toBe(200)
  })
})

describe('sessions', () => {
  test('the session is new after sign-in, and dead on the server after sign-out [AUTH-11]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = newBrowser(app)
    const planted = 'A'.repeat(43)
    browser.cookies.set(sessionName, planted)
    await fillSignIn(browser, alice.email)
    const first = browser.cookies.get(sessionName)!
    expect(first).not.toBe(planted)
    expect(browser.cookies.has(formName)).toBe(false)

    const page = await browser.get('/oauth/authorized_applications')
    const out = await browser.submit(page.form('/auth/sign_out'))
    expect([out.status, out.location]).toEqual([303, '/'])
    expect(browser.cookies.has(sessionName)).toBe(false)
    browser.cookies.set(sessionName, first)
    expect((await browser.get('/oauth/authorized_applications')).location).toMatch(/^\/auth\/sign_in/)
  })

  test('signing in again in the same browser ends the older session [AUTH-11]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = newBrowser(app)
    const stranger = await browser.get('/auth/sign_in')
    await browser.submit(stranger.form('/auth/sign_in'), {
      'user[email]': alice.email,
      'user[password]': password,
    })
    const first = browser.cookies.get(sessionName)!
    const { form } = await browser.get('/oauth/authorized_applications')
    const token = form('/auth/sign_out').fields['authenticity_token']!
    const again = await browser.post('/auth/sign_in', {
      authenticity_token: token,
      'user[email]': alice.email,
      'user[password]': password,
    })
    expect(again.status).toBe(303)
    expect(browser.cookies.get(sessionName)).not.toBe(first)
    browser.cookies.set(sessionName, first)
    expect((await browser.get('/oauth/authorized_applications')).status).toBe(302)
  })

  test('cookies are HttpOnly, SameSite and, behind https, Secure and bound to the host [AUTH-10]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const page = await newBrowser(app).get('/auth/sign_in')
    const signed = await fillSignIn(newBrowser(app), alice.email)
    const lines = [...page.headers.getSetCookie(), ...signed.headers.getSetCookie()]
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) expect(line).toMatch(/^__Host-\w+=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const plain = await startApp({ env: { LOCAL_HTTPS: 'false' } })
    const [line] = (await newBrowser(plain).get('/auth/sign_in')).headers.getSetCookie()
    await plain.close()
    expect(line).toMatch(/^stonechat_form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('a session ends a month after it was last seen, and lives on while it is used', async () => {
    const alice = await personWithPassword(app, 'alice')
    const [idle, used] = [await signedIn(app, alice), await signedIn(app, alice)]
    const open = async (browser: typeof idle) =>
      (await browser.get('/oauth/authorized_applications')).status === 200
    app.clock.advance(hours(20 * 24))
    expect(await open(used)).toBe(true)
    app.clock.advance(hours(20 * 24))
    expect([await open(used), await open(idle)]).toEqual([true, false])
  })

  test('who gave the old password just before it was changed does not get in after that [AUTH-12]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const login = (await findLogin(app.ctx, alice.email))!
    const terms = { ...login, address: '192.0.2.1', userAgent: null }
    const [changed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const changing = app.ctx.transaction(async (tx) => {
      await sql`update users set password_hash = 'changed' where id = ${alice.userId}`.execute(tx.db)
      changed.resolve()
      await released.promise
    })
    await changed.promise
    const starting = app.ctx.transaction((tx) => startSession(tx, terms)).catch(String)
    // Long enough for it to have begun; were it later, it would have to end the same way.
    setTimeout(released.resolve, 100)
    await changing
    expect(await starting).toContain('The password has just been changed')
    const rows = await app.ctx.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', alice.userId)
      .execute()
    expect(rows).toEqual([])
  })

  test('a login that is disabled loses its sessions at once', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    await app.ctx.db.updateTable('users').set({ disabled: true }).where('id', '=', alice.userId).execute()
    expect((await browser.get('/oauth/authorized_applications')).status).toBe(302)
  })
})

describe('foreign sites', () => {
  // A page with a signed address is for mail programs: test/api/notifications/mail-settings.test.ts.
  const changing = pages.filter((page) => page.method !== 'GET' && !page.signed)

  test('forms of other sites are refused by every page that changes something [AUTH-10]', async () => {
    // Whoever may not open a page is refused before its form is looked at.
    const alice = await personWithPassword(app, 'alice', { role: 'Owner' })
    const browser = await signedIn(app, alice)
    const own = (await browser.get('/oauth/authorized_applications')).form('/auth/sign_out').fields
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://sub.chat.example', 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'none' },
      { origin: 'https://chat.example', 'sec-fetch-site': 'cross-site' },
    ]
    expect(changing.length).toBeGreaterThan(4)
    for (const { method, path } of changing) {
      const target = path.replaceAll(/:\w+(\{[^}]*\})?/g, '1')
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const send = (headers: Record<string, string>, fields: Record<string, string>) =>
        app.fetch(target, { method, headers: { cookie, ...headers }, body: new URLSearchParams(fields) })
      for (const headers of foreign) expect([path, (await send(headers, own)).status]).toEqual([path, 422])
      for (const token of [undefined, '', 'x', browser.cookies.get(sessionName)!]) {
        const fields: Record<string, string> = token === undefined ? {} : { authenticity_token: token }
        expect([path, (await send({ origin: 'https://chat.example' }, fields)).status]).toEqual([path, 422])
      }
    }
    expect((await browser.get('/oauth/authorized_applications')).status).toBe(200)
  })

  test('the token of one browser is worth nothing in another [AUTH-10]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const theirs = (await newBrowser(app).get('/auth/sign_in')).form('/auth/sign_in')
    const browser = newBrowser(app)
    await browser.get('/auth/sign_in')
    const seen = await browser.submit(theirs, { 'user[email]': alice.email, 'user[password]': password })
    expect(seen.status).toBe(422)
    expect(browser.cookies.has(sessionName)).toBe(false)
  })

  test('pages with cookies are closed to other origins, the API and OAuth are open [AUTH-19]', async () => {
    const origin = 'https://client.example'
    const ask = async (path: string) => {
      const answer = await app.fetch(path, { headers: { origin } })
      return [
        answer.headers.get('access-control-allow-origin'),
        answer.headers.get('access-control-allow-credentials'),
      ]
    }
    for (const path of [
      '/api/v1/timelines/public',
      '/oauth/token',
      '/oauth/revoke',
      '/oauth/userinfo',
      '/.well-known/oauth-authorization-server',
    ]) {
      expect([path, ...(await ask(path))]).toEqual([path, '*', null])
    }
    // Profiles and posts are documents of the fediverse too: open to all, and never with credentials.
    for (const path of pages.map((page) => page.path).filter((one) => !/^\/(users\/|:handle)/.test(one)))
      expect([path, ...(await ask(path))]).toEqual([path, null, null])
  })

  test('pages refuse frames, inline scripts and foreign hosts [CNT-22] [CNT-23]', async () => {
    const browser = await signedIn(app, await personWithPassword(app, 'alice'))
    const seen = [
      await newBrowser(app).get('/auth/sign_in'),
      await fillSignIn(newBrowser(app), 'nobody', 'x'),
      await browser.get('/oauth/authorize'),
      await browser.get('/oauth/authorize/native?code=abc'),
      await browser.get('/oauth/authorized_applications'),
    ]
    for (const page of seen) {
      const policy = page.headers.get('content-security-policy')!
      const rules = ["default-src 'none'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]
      expect(policy.split('; ')).toEqual(expect.arrayContaining([...rules, "img-src 'self' data:"]))
      expect(policy).toContain("form-action 'self'")
      expect(policy).not.toContain('unsafe')
      expect(policy).not.toContain('script-src')
      expect(page.headers.get('x-frame-options')).toBe('DENY')
      expect(page.headers.get('cache-control')).toBe('private, no-store')
      expect(page.text).not.toMatch(/<script|<style|\son\w+=|\sstyle=|(src|href)="(https?:)?\/\//)
    }
  })

  test('the style sheet is there', async () => {
    const page = await newBrowser(app).get('/auth/sign_in')
    const href = /<link rel="stylesheet" href="([^"]+)"/.exec(page.text)![1]!
    const answer = await app.fetch(href)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(answer.headers.get('cache-control')).toContain('immutable')
  })
})

describe('many tries [AUTH-16]', () => {
  async function tries(count: number, attempt: (index: number) => Promise<number>) {
    const statuses: number[] = []
    for (let index = 0; index < count; index++) statuses.push(await attempt(index))
    return {
      failed: statuses.filter((status) => status === 422).length,
      limited: statuses.filter((status) => status === 429).length,
    }
  }

  test('from one address are limited, whatever it claims and however it spells the path', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXY_IP: '127.0.0.1' } })
    try {
      const origin = new URL(limited.ctx.config.baseUrl).origin
      const browser = createBrowser(limited.fetch, origin)
      const form = (await browser.get('/auth/sign_in')).form('/auth/sign_in')
      const paths = ['/auth/sign_in', '/auth/sign_in?x=1', '/auth/./sign_in', '/auth/sign%5Fin']
      const outcome = await tries(30, async (index) => {
        const headers = { 'x-forwarded-for': `10.9.8.${index}, 203.0.113.9` }
        const fields = { ...form.fields, 'user[email]': `nobody${index}`, 'user[password]': 'x' }
        return (await browser.post(paths[index % paths.length]!, fields, headers)).status
      })
      expect(outcome).toEqual({ failed: 25, limited: 5 })
      const remote = await browser.post(
        '/auth/sign_in',
        { ...form.fields, 'user[email]': 'n' },
        { 'x-forwarded-for': '203.0.113.10' },
      )
      expect(remote.status).toBe(422)
    } finally {
      await limited.close()
    }
  })

  test('on one account are limited from however many addresses, by whatever name', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on' } })
    try {
      const alice = await personWithPassword(limited, 'alice')
      const browser = newBrowser(limited)
      const form = (await browser.get('/auth/sign_in')).form('/auth/sign_in')
      const attempt = async (index: number, secret = 'wrong') => {
        const name = index % 2 ? alice.email : alice.username
        const fields = { ...form.fields, 'user[email]': name, 'user[password]': secret }
        return (await browser.post('/auth/sign_in', fields, { 'x-forwarded-for': `2001:db8:${index}::1` }))
          .status
      }
      expect(await tries(28, attempt)).toEqual({ failed: 25, limited: 3 })
      expect(await attempt(40, password)).toBe(429)
      limited.clock.advance(hours(1))
      expect(await attempt(41, password)).toBe(303)
    } finally {
      await limited.close()
    }
  })
})
