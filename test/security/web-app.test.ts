// The document of the web app holds a token: who gets it, who may keep it, and when it ends.
import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { days, hours } from '#test/app/clock.ts'
import type { Browser, Seen } from '#test/client/browser.ts'
import { createClient } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, password, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { buildApp } from '../../client/build/build.ts'

beforeAll(buildApp)
const app = useApp()

/** As browsers open a page. */
const opened = { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }

interface Start {
  token: string | null
  answers: Record<string, { status: number; body: unknown }>
}

function startOf(page: Seen): Start {
  const [, block = 'null'] =
    /<script type="application\/json" id="start">([\s\S]*?)<\/script>/.exec(page.text) ?? []
  return JSON.parse(block) as Start
}

/** Takes the pad off the token, as client/src/core/start.ts does. */
function unveil(token: string | null | undefined): string {
  const bytes = Buffer.from(token ?? '', 'hex')
  const half = bytes.length / 2
  return Buffer.from(bytes.subarray(half).map((byte, index) => byte ^ (bytes[index] ?? 0))).toString()
}

const tokenOf = async (browser: Browser, headers = opened) =>
  unveil(startOf(await browser.get('/home', headers)).token)
const isAlive = async (token: string) =>
  (await createClient({ fetch: app.fetch, token }).get('/api/v1/accounts/verify_credentials')).status === 200

async function signedInPerson(): Promise<{ wren: Person; browser: Browser }> {
  const wren = await personWithPassword(app, 'wren')
  return { wren, browser: await signedIn(app, wren) }
}

test('the web app names no file of the machine where it was built, whoever built it', () => {
  const built = new URL('../../client/dist/app/', import.meta.url)
  const scripts = readdirSync(built).filter((name) => name.endsWith('.js'))
  const { pathname: project } = new URL('../../', import.meta.url)
  const naming = scripts.filter((name) => readFileSync(new URL(name, built), 'utf8').includes(project))
  expect([scripts.length > 0, naming]).toEqual([true, []])
})

describe('the token of the web app [AUTH-22]', () => {
  test('goes to whom the session belongs, when they open a page, and is kept by nobody', async () => {
    const { wren, browser } = await signedInPerson()
    await wren.say('at home')
    const page = await browser.get('/home', opened)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(page.headers.get('vary')).toMatch(/Cookie/)
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
    expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    const { token, answers } = startOf(page)
    expect(await isAlive(unveil(token))).toBe(true)
    expect(answers['/api/v1/timelines/home?limit=20']).toMatchObject({
      status: 200,
      body: [{ content: '<p>at home</p>' }],
    })
    // No script runs but the app's, and the token stands nowhere as it is.
    expect(page.headers.get('content-security-policy')).toMatch(
      /script-src 'self';.*require-trusted-types-for 'script'/,
    )
    expect(page.text).not.toContain(unveil(token))
    expect(page.text.match(/<script(?! type="(?:module|application\/json)")/)).toBeNull()
    expect(page.text).not.toMatch(/<style|style=|\son\w+=/)
  })

  test('goes to nobody else: no script, frame or picture of any site, no stranger, no login that may not act', async () => {
    const { wren, browser } = await signedInPerson()
    for (const destination of ['empty', 'script', 'iframe', 'image', 'object', 'serviceworker']) {
      const page = await browser.get('/home', { ...opened, 'sec-fetch-dest': destination })
      expect([destination, startOf(page)]).toEqual([destination, null])
    }
    expect(startOf(await browser.get('/home', { accept: '*/*' }))).toBeNull()
    expect(startOf(await newBrowser(app).get('/home', opened))).toBeNull()
    const shell = await browser.get('/app/shell', opened)
    expect(startOf(shell)).toMatchObject({ token: null, answers: {} })
    await app.ctx.db.updateTable('users').set({ approved: false }).where('id', '=', wren.userId).execute()
    expect(startOf(await browser.get('/home', opened))).toBeNull()
  })

  test('differs in each document though it is the same, stands in the database as a hash, and allows nothing of staff', async () => {
    const { browser } = await signedInPerson()
    const [first, second] = [await browser.get('/home', opened), await browser.get('/home', opened)]
    const [one, other] = [startOf(first).token, startOf(second).token]
    expect(one).not.toBe(other)
    expect(unveil(one)).toBe(unveil(other))
    const { rows } = await sql<{ found: string; scopes: string[] }>`
      select t::text as found, scopes from oauth_tokens t where session_id is not null
      order by id desc limit 1`.execute(app.ctx.db)
    expect(rows[0]?.found).not.toContain(unveil(one))
    expect(rows[0]?.scopes).toEqual(['read', 'write', 'follow', 'push'])
  })

  test('is the same for windows that open at the same time', async () => {
    const { browser } = await signedInPerson()
    const tokens = await Promise.all([1, 2, 3, 4].map(() => tokenOf(browser)))
    expect(new Set(tokens).size).toBe(1)
    expect(await isAlive(tokens[0] ?? '')).toBe(true)
  })

  test('ends with its session: signed out, turned out, or run out', async () => {
    const { wren, browser } = await signedInPerson()
    const [second, third] = [await signedIn(app, wren), await signedIn(app, wren)]
    const [mine, theirs, old] = [await tokenOf(browser), await tokenOf(second), await tokenOf(third)]
    const page = await browser.get('/auth/edit')
    await browser.submit(page.form('/auth/sign_out'))
    expect([await isAlive(mine), await isAlive(theirs), await isAlive(old)]).toEqual([false, true, true])
    const list = await second.get('/settings/sessions')
    await second.submit(list.form('/settings/sessions/end_others'))
    expect([await isAlive(theirs), await isAlive(old)]).toEqual([true, false])
    // It lives on as long as the session does, and no longer.
    app.clock.advance(days(29))
    expect(await tokenOf(second)).toBe(theirs)
    app.clock.advance(days(29))
    expect(await isAlive(theirs)).toBe(true)
    app.clock.advance(days(1) + hours(1))
    expect(await isAlive(theirs)).toBe(false)
  })

  test('ends with a new password everywhere but where it was chosen [AUTH-12]', async () => {
    const { wren, browser } = await signedInPerson()
    const other = await signedIn(app, wren)
    const [mine, theirs] = [await tokenOf(browser), await tokenOf(other)]
    const page = await browser.get('/auth/edit')
    const form = page.form('/auth/edit/password')
    const fields = Object.fromEntries(
      Object.keys(form.fields)
        .filter((name) => /password/.test(name))
        .map((name) => [name, /current/.test(name) ? password : 'another good one']),
    )
    await browser.submit(form, fields)
    expect([await isAlive(mine), await isAlive(theirs)]).toEqual([true, false])
  })

  test('is another one after it was revoked', async () => {
    const { browser } = await signedInPerson()
    const before = await tokenOf(browser)
    await app.ctx.db
      .updateTable('oauth_tokens')
      .set({ revoked_at: new Date(app.clock.now()) })
      .where('session_id', 'is not', null)
      .execute()
    expect(await isAlive(before)).toBe(false)
    const after = await tokenOf(browser)
    expect(after).not.toBe(before)
    expect(await isAlive(after)).toBe(true)
  })
})

test('what somebody writes cannot end the data block of the document, nor open another [CNT-24]', async () => {
  const { wren, browser } = await signedInPerson()
  const trick = '</script><script>alert(1)</script><!--<script>'
  await wren.say(trick, { spoiler_text: trick })
  const page = await browser.get('/home', opened)
  expect(page.text.match(/<script/g)).toHaveLength(2)
  expect(startOf(page).answers['/api/v1/timelines/home?limit=20']).toMatchObject({
    body: [{ spoiler_text: trick }],
  })
})

test('machines and strangers get at the addresses of the app what they got before', async () => {
  const { wren, browser } = await signedInPerson()
  const actor = await browser.get(`/@${wren.username}`, { accept: 'application/activity+json' })
  expect(actor.headers.get('content-type')).toContain('application/activity+json')
  const plain = await newBrowser(app).get(`/@${wren.username}`, opened)
  expect(plain.headers.get('cache-control')).toContain('public')
  expect(startOf(plain)).toBeNull()
  // Who is signed in can still ask for the plain page.
  expect(startOf(await browser.get(`/@${wren.username}?plain`, opened))).toBeNull()
  expect(startOf(await browser.get(`/@${wren.username}`, opened))).not.toBeNull()
  const led = await newBrowser(app).get('/bookmarks', opened)
  expect([led.status, led.location]).toEqual([302, '/auth/sign_in?return_to=%2Fbookmarks'])
})
