// What people read who do not read English: errors, pages, and pages where there is nothing.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import { pages } from '#http/web/pages.ts'
import { createClient } from '#test/client/client.ts'
import { useApp } from '#test/app/app.ts'
import type { Browser } from '#test/client/browser.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }
const forPeople = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('errors of the API', () => {
  const inGerman = (token: string | null) =>
    createClient({
      fetch: (path, init) =>
        app.fetch(path, { ...init, headers: { ...(init?.headers as Record<string, string>), ...german } }),
      token,
    })

  test('are told in the language that the client prefers, with the codes as they are', async () => {
    const answer = await inGerman(null).get('/api/v1/statuses/1')
    expect([answer.status, answer.body]).toEqual([404, { error: 'Der Eintrag wurde nicht gefunden' }])
    expect(answer.headers.get('content-language')).toBe('de')
    expect(answer.headers.get('vary')).toContain('Accept-Language')
    expect((await app.anonymous.get('/api/v1/statuses/1')).body.error).toBe('Record not found')
    const refused = await app.fetch('/oauth/token', {
      method: 'POST',
      headers: { ...german, 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'authorization_code', client_id: 'unknown' }),
    })
    const body = (await refused.json()) as Record<string, string>
    expect(body['error']).toMatch(/^invalid_/)
    expect(body['error_description']).toMatch(/^(Eine|Die) /)
  })

  test('are kept by no shared cache, also those of which an operation says more', async () => {
    for (const path of ['/api/v1/statuses/1', '/api/oembed?format=xml']) {
      const { status, headers } = await inGerman(null).get(path)
      expect([path, status >= 400, headers.get('cache-control')]).toEqual([path, true, 'private, no-store'])
      expect(headers.get('vary')).toContain('Accept-Language')
    }
  })

  test('in that of the user before that of their client', async () => {
    const alice = await app.person('alice')
    const client = inGerman(alice.token)
    const told = async () => (await client.post('/api/v1/statuses', { status: '' })).body.error
    expect(await told()).toBe("Validation failed: Text can't be blank")
    await sql`update users set locale = 'de' where id = ${alice.userId}`.execute(app.ctx.db)
    app.clock.advance(60_000)
    expect(await told()).toBe('Das ist so nicht gültig: Text darf nicht leer sein')
    expect((await alice.post('/api/v1/statuses', { status: '' })).body.error).toMatch(/^Das ist/)
  })
})

describe('where there is nothing', () => {
  const get = (path: string, headers: Record<string, string>, method = 'GET') =>
    app.fetch(path, { method, headers })

  test('a browser gets a page in its language', async () => {
    const english = await get('/no/such/page', forPeople)
    expect([english.status, english.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const text = await english.text()
    expect(text).toContain('This page does not exist.')
    expect(text).toContain('stonechat')
    const other = await get('/no/such/page/', { ...forPeople, ...german })
    expect([other.status, await other.text()]).toEqual([
      404,
      expect.stringContaining('Diese Seite gibt es nicht.'),
    ])
    const sent = await get('/no/such/form', forPeople, 'POST')
    expect([sent.status, sent.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })

  test.each([
    ['/no/such/page', { accept: '*/*' }],
    ['/no/such/page', {}],
    ['/api/v1/nothing', forPeople],
    ['/.well-known/nothing', forPeople],
    ['/nodeinfo/9', forPeople],
  ])('a program gets JSON: %s %o', async (path, headers) => {
    const answer = await get(path, headers as Record<string, string>)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ])
    expect(await answer.json()).toEqual({ error: 'Not Found' })
  })
})

/** Names of languages that are the same in both. */
const sameInBoth = new Set(['Lingua Franca Nova', 'Toki Pona'])

/** Text as people read it: without what they wrote, and what has no words. */
function sentencesOf(html: string): string[] {
  return html
    .replaceAll(/<(style|script|svg|code|pre|time|head)\b.*?<\/\1>/gs, '')
    .split(/<[^>]*>/)
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => /\p{L}{2,}.* .*\p{L}{2,}/u.test(text) && !sameInBoth.has(text))
}

describe('pages in German', () => {
  let browsers: Browser[]
  let addresses: string[]
  let name: string
  beforeAll(async () => {
    const person = await personWithPassword(app, 'heidi')
    name = person.username
    browsers = [newBrowser(app), await signedIn(app, person)]
    const post = await person.say('#Wald', { poll: { options: ['a', 'b'], expires_in: 3600 } })
    await person.say('Hallo', { in_reply_to_id: post.id, sensitive: true })
    const made = (await person.post('/api/v1/collections', { name: 'Leute', account_ids: [] })).ok()
    await takeAction(app.ctx, 'operator', person.accountId, { type: 'none', text: 'Obacht' })
    const strike = await app.ctx.db.selectFrom('account_warnings').select('id').executeTakeFirstOrThrow()
    await app.settle()
    const things: Record<string, string> = {
      handle: `@${person.username}`,
      username: person.username,
      tag: 'wald',
      id: post.id,
    }
    const idIn = (path: string) =>
      path.startsWith('/collections/') ? made.collection.id : path.includes('/strikes/') ? strike.id : post.id
    addresses = pages
      .filter((page) => page.method === 'GET' && !page.path.includes('rss'))
      // Documents are in English, and say so.
      .filter((page) => !page.path.startsWith('/docs'))
      .map(({ path }) =>
        path.replaceAll(/:(\w+)(\{[^}]*\})?/g, (_, name: string) =>
          name === 'id' ? idIn(path) : (things[name] ?? 'nothing'),
        ),
      )
    addresses.push('/no/such/page')
  })

  test('have no sentence that is the same in English', async () => {
    expect(addresses.length).toBeGreaterThan(40)
    const same: string[] = []
    let whole = 0
    for (const browser of browsers) {
      for (const address of addresses) {
        const [english, other] = [
          await browser.get(address, { 'accept-language': 'en' }),
          await browser.get(address, german),
        ]
        if (!other.headers.get('content-type')?.startsWith('text/html')) continue
        if (other.status === 200) whole += 1
        expect(other.text).toContain('<html lang="de" dir="ltr"')
        // Titles name who wrote what.
        const known = new Set(sentencesOf(english.text).filter((text) => !text.startsWith(`${name}: `)))
        same.push(
          ...sentencesOf(other.text).flatMap((text) => (known.has(text) ? `${address}: ${text}` : [])),
        )
      }
    }
    expect(same).toEqual([])
    expect(whole).toBeGreaterThan(35)
  })
})
