// The browsers and the applications that somebody let in, and how they are turned out.
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Browser } from '#test/client/browser.ts'
import { days, hours } from '#test/app/clock.ts'
import { obtainToken, registerClient } from '#test/client/oauth.ts'
import { newBrowser, password, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp({ env: { TRUSTED_PROXY_IP: '127.0.0.1' } })
const path = '/settings/sessions'

async function signedInFrom(email: string, headers: Record<string, string>): Promise<Browser> {
  const browser = newBrowser(app)
  const form = (await browser.get('/auth/sign_in')).form('/auth/sign_in')
  await browser.submit(form, { 'user[email]': email, 'user[password]': password }, headers)
  return browser
}

const isIn = async (browser: Browser) => (await browser.get('/auth/edit')).status === 200
const endings = async (browser: Browser) =>
  (await browser.get(path)).forms.filter(({ action }) => /^\/settings\/sessions\/\d+\/end$/.test(action))

describe('sessions', () => {
  test('are listed with browser, address and when they were last seen', async () => {
    const alice = await personWithPassword(app, 'alice')
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    await signedInFrom(alice.email, { 'user-agent': firefox, 'x-forwarded-for': '198.51.100.7' })
    await signedInFrom(alice.email, { 'user-agent': '<script>x</script>', 'x-forwarded-for': '2001:db8::7' })
    app.clock.advance(days(2))
    const browser = await signedIn(app, alice)
    const page = await browser.get(path)
    expect(page.text).toContain('<strong>Firefox on Linux</strong> <span class="soft">198.51.100.7</span>')
    expect(page.text).toContain('<strong>Unknown browser</strong> <span class="soft">2001:db8::7</span>')
    expect(page.text).not.toContain('<script')
    expect(page.text.match(/last seen /g)).toHaveLength(2)
    expect(page.text.match(/This browser/g)).toHaveLength(1)
    expect((await browser.get(`${path}?lang=de`)).text).toContain('Firefox auf Linux')
    const day = (ahead: number) =>
      new Date(app.clock.now() + days(ahead)).toLocaleDateString('en', {
        dateStyle: 'medium',
        timeZone: 'UTC',
      })
    expect(page.text).toContain(`last seen ${day(-2)}`)
  })

  test('know about to the hour when they were last seen', async () => {
    const alice = await personWithPassword(app, 'alice')
    const [first, second] = [await signedIn(app, alice), await signedIn(app, alice)]
    app.clock.advance(days(2))
    await second.get('/auth/edit')
    const today = new Date(app.clock.now()).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' })
    expect((await first.get(path)).text).toContain(`last seen ${today}`)
  })

  test('end one by one, or all others at once, on the server too', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browsers = [await signedIn(app, alice), await signedIn(app, alice), await signedIn(app, alice)]
    const [mine, second, third] = browsers as [Browser, Browser, Browser]
    app.clock.advance(hours(2))
    await third.get('/auth/edit')
    const [lastSeen] = await endings(mine)
    const seen = await mine.submit(lastSeen!)
    expect([seen.status, seen.location]).toEqual([303, path])
    expect([await isIn(mine), await isIn(second), await isIn(third)]).toEqual([true, true, false])
    const fourth = await signedIn(app, alice)
    await mine.submit((await mine.get(path)).form(`${path}/end_others`))
    expect([await isIn(mine), await isIn(second), await isIn(fourth)]).toEqual([true, false, false])
    expect((await mine.get(path)).text).toContain('Nowhere else')
  })

  test('of others are neither shown nor ended', async () => {
    const [alice, bob] = [await personWithPassword(app, 'alice'), await personWithPassword(app, 'bob')]
    const [mine, other, theirs] = [
      await signedIn(app, alice),
      await signedIn(app, alice),
      await signedIn(app, bob),
    ]
    const [end] = await endings(mine)
    expect(await endings(theirs)).toEqual([])
    const token = (await theirs.get(path)).form('/auth/sign_out').fields
    expect((await theirs.post(end!.action, token)).status).toBe(303)
    expect([await isIn(mine), await isIn(other)]).toEqual([true, true])
    expect((await theirs.post(`${path}/x/end`, token)).status).toBe(404)
  })

  test('no token of an application reaches them, or second factors [AUTH-21]', async () => {
    const alice = await personWithPassword(app, 'alice')
    await signedIn(app, alice)
    const headers = { authorization: `Bearer ${alice.token}` }
    for (const page of [path, '/settings/two-factor']) {
      const seen = await app.fetch(page, { headers })
      expect([seen.status, seen.headers.get('location')]).toEqual([
        302,
        `/auth/sign_in?${new URLSearchParams({ return_to: page })}`,
      ])
    }
    for (const form of [
      `${path}/end_others`,
      '/settings/two-factor/unlock',
      '/settings/two-factor/app/remove',
    ]) {
      const body = new URLSearchParams({ current_password: password })
      expect((await app.fetch(form, { method: 'POST', headers, body })).status).toBe(422)
    }
  })
})

describe('authorised applications', () => {
  test('say when they were last used, and lose all when they are turned out', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    const client = await registerClient(app, { name: 'Test app' })
    const { access_token } = await obtainToken(app, browser, client)
    const listPath = '/oauth/authorized_applications'
    expect((await browser.get(listPath)).text).toContain('never used')
    app.clock.advance(days(3))
    const home = () =>
      app.fetch('/api/v1/timelines/home', { headers: { authorization: `Bearer ${access_token}` } })
    expect((await home()).status).toBe(200)
    const page = await browser.get(listPath)
    const today = new Date(app.clock.now()).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' })
    expect(page.text).toContain(`last used ${today}`)
    const queries = await app.countQueries(home)
    expect(queries.filter((sql) => sql.includes('update oauth_tokens'))).toEqual([])
    const revoke = page.forms.find(({ action }) => action.startsWith(`${listPath}/`))!
    expect((await browser.submit(revoke)).status).toBe(303)
    expect((await home()).status).toBe(401)
    expect((await browser.get(listPath)).text).not.toContain('Test app')
  })
})
