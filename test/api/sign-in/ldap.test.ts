import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { escapeFilter } from '#adapters/ldap/filter.ts'
import { startApp, type TestApp } from '#test/app/app.ts'
import type { Browser } from '#test/client/browser.ts'
import { fillSignIn, newBrowser, password, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { ldapMissing, startLdap, type LdapServer } from '#test/servers/ldap-server.ts'

const authority = fileURLToPath(
  new URL('../../support/servers/tls/loopback-certificate.pem', import.meta.url),
)
const secret = 'of the directory'
const title = ldapMissing
  ? `signing in by a directory (skipped: ${ldapMissing})`
  : 'signing in by a directory'

describe.skipIf(ldapMissing)(title, () => {
  let ldap: LdapServer
  let app: TestApp

  beforeAll(async () => {
    ldap = await startLdap()
    await ldap.add('ada.l', { mail: 'ada@example.org', password: secret })
    await ldap.add('bea', { mail: 'bea@example.org', password: secret })
    await ldap.add('cleo', { password: secret })
    app = await startApp({ env: { ...ldap.env('start_tls'), LDAP_TLS_CA_FILE: authority } })
  })
  afterAll(async () => {
    await app?.close()
    await ldap?.remove()
  })

  const nameOf = async (browser: Browser) =>
    /Signed in as @(\w+)/.exec((await browser.get('/settings/sessions')).text)?.[1] ?? null
  const arrive = async (browser: Browser, fields: Record<string, string> = {}) => {
    const page = await browser.get('/auth/identity')
    return browser.submit(page.form('/auth/identity'), { agreement: '1', ...fields })
  }

  test('by name or address of the directory, a new person accepts the rules once', async () => {
    const browser = newBrowser(app)
    expect((await fillSignIn(browser, 'ada.l', secret)).location).toBe('/auth/identity')
    expect((await arrive(browser)).location).toBe('/')
    expect(await nameOf(browser)).toBe('ada_l')
    for (const name of ['ada.l', 'ADA@example.org']) {
      const again = newBrowser(app)
      expect((await fillSignIn(again, name, secret)).location).toBe('/')
      expect(await nameOf(again)).toBe('ada_l')
    }
  })

  test('a wrong, an empty and no password open nothing, and names are no filters', async () => {
    for (const [name, given] of [
      ['bea', 'wrong'],
      ['bea', ''],
      ['*', secret],
      ['be*', secret],
      ['bea)(uid=*', secret],
      ['*)(objectClass=*', secret],
      ['nobody', secret],
    ] as const) {
      const browser = newBrowser(app)
      expect([name, given, (await fillSignIn(browser, name, given)).status]).toEqual([name, given, 422])
      expect(await nameOf(browser)).toBeNull()
    }
    expect(escapeFilter('a*(b)\\c\0')).toBe('a\\2a\\28b\\29\\5cc\\00')
  })

  test('a person here of the same name or address is nobody of the directory, but connects it [AUTH-18]', async () => {
    const here = await personWithPassword(app, 'bea', { email: 'bea@example.org' } as never)
    await app.ctx.db
      .updateTable('users')
      .set({ email: 'bea@example.org' })
      .where('id', '=', here.userId)
      .execute()
    const stranger = newBrowser(app)
    expect((await fillSignIn(stranger, 'bea', secret)).location).toBe('/auth/identity')
    expect((await arrive(stranger)).status).toBe(422)
    expect(await nameOf(stranger)).toBeNull()
    const browser = newBrowser(app)
    expect((await fillSignIn(browser, here.username, password)).location).toBe('/')
    const page = await browser.get('/settings/identities')
    const form = page.form('/settings/identities/ldap')
    expect((await browser.submit(form, { name: 'bea', password: 'wrong' })).status).toBe(422)
    expect((await browser.submit(form, { name: 'bea', password: secret })).status).toBe(303)
    const again = newBrowser(app)
    await fillSignIn(again, 'bea', secret)
    expect(await nameOf(again)).toBe(here.username)
  })

  test('who has no address in the directory gives one, which waits for its mail', async () => {
    const browser = newBrowser(app)
    await fillSignIn(browser, 'cleo', secret)
    expect((await arrive(browser, { email: 'cleo@mail.example' })).location).toBe('/auth/setup')
    expect((await fillSignIn(newBrowser(app), 'cleo', secret)).status).toBe(403)
  })

  test('the directory is not believed without its certificate, and people with passwords of this server get in', async () => {
    for (const method of ['start_tls', 'simple_tls'] as const) {
      const strict = await startApp({ env: ldap.env(method) })
      try {
        expect((await fillSignIn(newBrowser(strict), 'ada.l', secret)).status).toBe(503)
        expect(await signedIn(strict, await personWithPassword(strict, 'dora'))).toBeTruthy()
      } finally {
        await strict.close()
      }
    }
  })

  test('over TLS from the first byte, and without TLS where the operator says so', async () => {
    for (const [method, more] of [
      ['simple_tls', { LDAP_TLS_CA_FILE: authority }],
      ['plain', {}],
    ] as const) {
      const other = await startApp({ env: { ...ldap.env(method), ...more } })
      try {
        expect((await fillSignIn(newBrowser(other), 'ada.l', secret)).location).toBe('/auth/identity')
      } finally {
        await other.close()
      }
    }
  })
})
