import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  askForReset,
  resetPassword,
  resetPasswordByOperator,
} from '#domain/identity/accounts/registration/reset-password.ts'
import { issueToken } from '#domain/identity/oauth/issue-token.ts'
import { pages } from '#http/web/pages.ts'
import { useApp } from '#test/app/app.ts'
import { countRows, dumpDatabase } from '#test/app/database.ts'
import { callRoute, nameOf, routes } from '#test/client/every-route.ts'
import { allow, askToken, callback, carried, obtainToken, registerClient } from '#test/client/oauth.ts'
import type { Person } from '#test/people/people.ts'
import { password, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()

/** The paths of pages with their parameters filled in. */
const filled = (path: string) =>
  path.replaceAll(/:(handle|tag)\{[^}]*\}/g, '@nobody').replaceAll(/:\w+(\{[^}]*\})?/g, '1')

const pagePaths = (method: 'GET' | 'POST' | 'DELETE') =>
  pages.filter((page) => page.method === method).map(({ path }) => filled(path))

/** Pages whose forms may send files: nothing of those is read for strangers. */
const fileTakers = new Set(pages.filter((page) => page.upload).map(({ path }) => filled(path)))

async function mailedToken(person: Person, name: string): Promise<string> {
  await app.settle()
  const mail = app.mails.findLast(({ to }) => to === person.email)
  const token = new RegExp(`${name}=([\\w.~-]+)`).exec(mail?.text ?? '')?.[1]
  if (!token) throw new Error(`no ${name} in ${JSON.stringify(mail)}`)
  return token
}

describe('a new password [AUTH-12]', () => {
  const ways: Record<string, (person: Person) => Promise<unknown>> = {
    'by a mailed link': async (person) => {
      await askForReset(app.ctx, person.email)
      const token = await mailedToken(person, 'reset_password_token')
      expect(await resetPassword(app.ctx, token, 'another good one')).toBe(true)
    },
    'by an operator': (person) => resetPasswordByOperator(app.ctx, person.username),
    'on the page': async (person) => {
      const browser = await signedIn(app, person)
      const page = await browser.get('/auth/edit')
      const changed = await browser.submit(page.form('/auth/edit/password'), {
        current_password: password,
        password: 'another good one',
      })
      expect(changed.status).toBe(200)
      expect((await browser.get('/auth/edit')).status).toBe(200)
    },
  }

  test.each(Object.entries(ways))(
    '%s ends sessions, tokens, codes, refreshing and other links',
    async (_, change) => {
      const person = await personWithPassword(app, 'alice')
      const browser = await signedIn(app, person)
      const client = await registerClient(app, { scopes: 'read offline_access' })
      const issued = await obtainToken(app, browser, client, 'read offline_access')
      const code = carried(await allow(browser, client, { scope: 'read' }))['code']!
      await askForReset(app.ctx, person.email)
      const oldLink = await mailedToken(person, 'reset_password_token')
      app.clock.advance(1000)

      await change(person)

      for (const token of [issued.access_token, person.token]) {
        const answer = await app.fetch('/api/v1/timelines/home', {
          headers: { authorization: `Bearer ${token}` },
        })
        expect(answer.status).toBe(401)
      }
      const refreshed = await askToken(app, client, {
        grant_type: 'refresh_token',
        refresh_token: issued.refresh_token,
      })
      expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant'])
      const exchanged = await askToken(app, client, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
      })
      expect([exchanged.status, exchanged.body.error]).toEqual([400, 'invalid_grant'])
      expect((await browser.get('/oauth/authorized_applications')).location).toContain('/auth/sign_in')
      expect(await resetPassword(app.ctx, oldLink, 'by an old link')).toBe(false)
    },
  )
})

test('links of mails and passwords are neither in the database nor in the logs [AUTH-9]', async () => {
  const application = await app.application(['read', 'write'])
  const secret = 'a passphrase for the log'
  const email = 'newcomer@mail.example'
  const member = (
    await application.post('/api/v1/accounts', {
      username: 'newcomer',
      email,
      password: secret,
      agreement: true,
      locale: 'en',
    })
  ).ok()
  await askForReset(app.ctx, email)
  await app.settle()
  const links = app.mails
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => [...text.matchAll(/_token=([\w.~-]+)/g)].map(([, token]) => token!))
  expect(links.length).toBe(2)
  for (const link of links) {
    await app.fetch(`/auth/password/edit?reset_password_token=${link}`)
    await app.fetch(`/auth/confirmation?confirmation_token=${link}x`)
  }
  const kept = (await dumpDatabase(app.ctx)) + JSON.stringify(app.logLines)
  expect(kept).toContain('newcomer')
  for (const one of [...links, secret, member.access_token]) {
    expect(kept.includes(one) || kept.includes(Buffer.from(one).toString('hex'))).toBe(false)
  }
})

describe('pages of the first party [AUTH-21]', () => {
  test('take a token of an application for nothing', async () => {
    const person = await app.person('alice', { role: 'Owner' })
    const headers = { authorization: `Bearer ${person.token}` }
    for (const path of pagePaths('GET')) {
      for (const way of [{ headers }, { query: `?access_token=${person.token}` }]) {
        const [as, stranger] = [
          await app.fetch(path + ('query' in way ? way.query : ''), 'headers' in way ? { headers } : {}),
          await app.fetch(path),
        ]
        expect([path, as.status, (await as.text()).includes('/auth/sign_out')]).toEqual([
          path,
          stranger.status,
          false,
        ])
      }
    }
  })

  test('change nothing for it either, nor for a form without a session', async () => {
    const person = await app.person('alice')
    await app.settle()
    const before = await countRows(app.ctx)
    for (const method of ['POST', 'DELETE'] as const) {
      for (const path of pagePaths(method)) {
        const response = await app.fetch(path, {
          method,
          headers: { authorization: `Bearer ${person.token}` },
          body: new URLSearchParams({ password: 'new password', email: 'new@mail.example' }),
        })
        // A page that wants a signed address is not there; what others share is led on to the composer.
        const known: Record<string, number[]> = { '/unsubscribe': [404], '/share': [303] }
        const refusals = fileTakers.has(path) ? [401, 422] : (known[path] ?? [422])
        expect([path, refusals]).toEqual([path, expect.arrayContaining([response.status])])
      }
    }
    await app.settle()
    expect(await countRows(app.ctx)).toEqual(before)
  })
})

describe('other origins [AUTH-19]', () => {
  const origin = { origin: 'https://evil.example' }

  test('read the whole API and OAuth without credentials, and may ask before', async () => {
    const wrong: unknown[] = []
    for (const route of routes.filter(({ path }) => /^\/(api|nodeinfo|\.well-known|oauth)\//.test(path))) {
      const { headers } = await callRoute(app.fetch, route, { headers: origin })
      const asked = await app.fetch(route.path.replaceAll(/:\w+/g, '1'), {
        method: 'OPTIONS',
        headers: { ...origin, 'access-control-request-method': route.method },
      })
      const open = headers.get('access-control-allow-origin') === '*' && asked.status === 204
      const isForServers = route.path === '/oauth/introspect'
      if (open === isForServers) wrong.push(nameOf(route))
      for (const answer of [headers, asked.headers]) {
        if (answer.has('access-control-allow-credentials')) wrong.push([nameOf(route), 'credentials'])
      }
    }
    expect(wrong).toEqual([])
  })

  test('may send headers of their own, and no others than they name', async () => {
    const ask = async (names?: string) => {
      const headers = { ...origin, ...(names !== undefined && { 'access-control-request-headers': names }) }
      const answer = await app.fetch('/api/v1/statuses', { method: 'OPTIONS', headers })
      return answer.headers.get('access-control-allow-headers')
    }
    expect(await ask('authorization,cache-control,x-custom')).toBe('authorization,cache-control,x-custom')
    for (const names of [undefined, 'a: b', 'x'.repeat(2000)])
      expect(await ask(names)).toMatch(/^Authorization, /)
  })

  test('get nothing from a page that looks at cookies to sign in, and set none', async () => {
    const person = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, person)
    for (const path of pagePaths('GET').filter((one) => /^\/(auth|oauth)\//.test(one))) {
      const page = await browser.get(path, origin)
      expect([path, page.headers.get('access-control-allow-origin')]).toEqual([path, null])
    }
    const api = await browser.get('/api/v1/accounts/verify_credentials')
    expect(api.status).toBe(401)
  })
})

describe('names that look like others [AUTH-20]', () => {
  test.each([
    ['in other letters', 'аdmin', 422],
    ['in wide letters', 'ａｄｍｉｎ', 422],
    ['with an invisible sign', 'ad\u200bmin', 422],
    ['with an accent of its own', 'adm\u0131n', 422],
    ['with a line end', 'plainname\n', 422],
    ['in capitals', 'ADMIN', 422],
    ['reserved for the machine', 'root', 422],
    ['with a domain', 'somebody@chat.example', 422],
  ])('%s are refused, and nobody is made', async (_, username, status) => {
    const application = await app.application(['read', 'write'])
    await app.settle()
    const before = await countRows(app.ctx)
    const answer = await application.post('/api/v1/accounts', {
      username,
      email: 'lookalike@mail.example',
      password: 'long enough',
      agreement: true,
      locale: 'en',
    })
    expect([answer.status, Object.keys(answer.body.details ?? {})]).toEqual([status, ['username']])
    await app.settle()
    expect(await countRows(app.ctx)).toEqual(before)
  })

  test('a name in other capitals is the same name', async () => {
    const { username } = await app.person('original')
    const application = await app.application(['read', 'write'])
    const answer = await application.post('/api/v1/accounts', {
      username: username.toUpperCase(),
      email: 'capitals@mail.example',
      password: 'long enough',
      agreement: true,
      locale: 'en',
    })
    expect(answer.body.details.username[0].error).toBe('ERR_TAKEN')
    const { rows } = await sql`select 1 from accounts where lower(username) = lower(${username})`.execute(
      app.ctx.db,
    )
    expect(rows).toHaveLength(1)
  })
})

test('a token of an application changes nothing anywhere [AUTH-7]', async () => {
  const scopes = ['read', 'write', 'follow', 'push', 'profile']
  const application = await app.ctx.transaction((tx) =>
    issueToken(tx, { applicationId: null, userId: null, scopes }),
  )
  const target = await app.person('target')
  const { id } = await target.say('hello')
  await app.settle()
  const before = await countRows(app.ctx)
  for (const route of routes.filter(({ auth }) => auth === 'user' || auth === 'any-user')) {
    const one = route.path.includes('/statuses/') ? id : target.accountId
    const { status } = await callRoute(app.fetch, route, {
      token: application.secret,
      path: { id: one, account_id: one, name: 'tag' },
      params: { status: 'by nobody' },
    })
    expect([nameOf(route), [403, 422].includes(status)]).toEqual([nameOf(route), true])
  }
  await app.settle()
  expect(await countRows(app.ctx)).toEqual(before)
})
