// Every page that the server renders, as a browser sees it: wide and light, narrow and dark. By day all are looked at
// narrow, and every eighth pair of them wide too; axe, which takes most of the time, looks at that pair, at one in the one
// and at the next in the other look, and at colours and sizes on every sixteenth pair; Tab is pressed on every sixth page
// of a person. At night all of it is done to each page.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSession } from '#domain/identity/oauth/sessions.ts'
import { languages } from '#lib/messages/catalogue.ts'
import { createWebApp } from '#http/server-app.ts'
import { compressAnswers } from '#http/kit/compression/compress-answers.ts'
import { VaryingResponse } from '#http/kit/compression/varying-response.ts'
import { pages as listedPages } from '#http/web/pages.ts'
import { startApp, type TestApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { findViolations, withoutLooks } from '#test/web/axe.ts'
import { findKeyboardProblems } from '#test/web/keyboard.ts'
import { isAlike } from '#test/web/desk-lists.ts'
import { layServer, type ShownPage, type ShownServer } from '#test/web/server-rendered.ts'
import { describeInBrowser, launchBrowser } from '#test/web/chromium.ts'
import { isNight } from '#test/run/night.ts'

/** Who else may say who somebody is; nobody asks them here. */
const others = {
  OIDC_ENABLED: 'true',
  OIDC_DISPLAY_NAME: 'Aviarium',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'stonechat',
  OIDC_CLIENT_SECRET: 'secretum',
}

const looks = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

describeInBrowser('server-rendered pages', () => {
  let app: TestApp
  let server: Server
  let browser: Browser
  let shown: ShownServer
  const contexts = new Map<Person | undefined, Promise<BrowserContext>>()
  /** What the browser complained about on the page that is open. */
  let complaints: string[] = []

  beforeAll(async () => {
    server = createServer({ ServerResponse: VaryingResponse }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    app = await startApp({ env: { LOCAL_DOMAIN: `localhost:${port}`, PORT: String(port), ...others } })
    server.on('request', compressAnswers(app.ctx.config, getRequestListener(createWebApp(app.ctx).fetch)))
    shown = await layServer(app)
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
    await app?.close()
  })

  /** A session as signing in makes it. */
  async function sessionOf({ userId }: Person): Promise<string> {
    const about = { userId, address: '127.0.0.1', userAgent: null, passwordHash: null }
    return (await app.ctx.transaction((tx) => startSession(tx, about))).secret
  }

  async function contextOf(as: Person | undefined): Promise<BrowserContext> {
    const context = await browser.newContext({ locale: 'en', ...looks[0] })
    context.on('console', (message) => {
      const isOurs = message.type() === 'error' || message.type() === 'warning'
      // Pages that are errors say so by their status.
      if (isOurs && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
    })
    context.on('weberror', (error) => complaints.push(String(error.error())))
    if (as)
      await context.addCookies([
        { name: 'stonechat_session', value: await sessionOf(as), url: app.ctx.config.baseUrl },
      ])
    return context
  }

  async function lookAt(index: number, page: Page): Promise<string[]> {
    const { path, as, status = 200 } = shown.pages[index] as ShownPage
    complaints = []
    const response = await page.goto(app.ctx.config.baseUrl + path)
    const found: string[] = response?.status() === status ? [] : [`answered ${response?.status()}`]
    const folder = process.env['WEB_PICTURES']
    const isLookedAt = isNight || index % 16 < 2
    const both = index % 2 === 0 ? looks : looks.toReversed()
    const ways = isLookedAt || folder !== undefined ? both : [looks[1]]
    for (const [way, { viewport, colorScheme }] of ways.entries()) {
      await page.setViewportSize(viewport)
      const sideways = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      if (sideways !== 0) found.push(`${sideways} pixels to scroll sideways at ${viewport.width}`)
      const isForAxe = isLookedAt && (isNight || way === 0)
      if (isForAxe || folder !== undefined) await page.emulateMedia({ colorScheme })
      const violations = isForAxe
        ? await findViolations(page, isNight || index % 32 < 2 ? {} : withoutLooks)
        : []
      found.push(...violations.map((line) => `${viewport.width} ${line}`))
      const name = `${path.replaceAll(/\W+/g, '-')}-${viewport.width}`
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
    }
    if (as && (isNight || index % 6 === 0)) found.push(...(await findKeyboardProblems(page)))
    found.push(...complaints.map((text) => `complaint: ${text}`))
    return found.map((line) => `${path}${as ? ` as ${as.username}` : ''}: ${line}`)
  }

  test('axe finds nothing, nothing is to be scrolled sideways, Tab comes by what is on a person’s pages in its order, and the browser complains about nothing [CNT-23]', async () => {
    const found: string[] = []
    for (const [index, one] of shown.pages.entries()) {
      if (!contexts.has(one.as)) contexts.set(one.as, contextOf(one.as))
      const context = await (contexts.get(one.as) as Promise<BrowserContext>)
      const page = context.pages()[0] ?? (await context.newPage())
      // Words are longer in one language than in another: each page is looked at in one of them.
      const language = languages[index % languages.length] as string
      await page.setExtraHTTPHeaders({ 'accept-language': language })
      found.push(...(await lookAt(index, page)).map((line) => `${language} ${line}`))
    }
    expect(found).toEqual([])
  })

  interface FetchedPage {
    path: string
    headers: Headers
    text: string
  }
  let fetched: Promise<FetchedPage[]> | undefined

  /** What a program gets that sends people's cookies and asks for German. */
  const fetchInGerman = () => (fetched ??= fetchAll())

  async function fetchAll(): Promise<FetchedPage[]> {
    const cookies = new Map<Person, string>()
    const all: FetchedPage[] = []
    for (const { path, as } of shown.pages) {
      if (as && !cookies.has(as)) cookies.set(as, `stonechat_session=${await sessionOf(as)}`)
      const cookie = as ? { cookie: cookies.get(as) as string } : {}
      const headers = { 'accept-language': 'de', accept: 'text/html', ...cookie }
      const response = await app.fetch(path, { headers })
      all.push({ path, headers: response.headers, text: await response.text() })
    }
    return all
  }

  test('no page allows or has a script, a style or a handler in it [CNT-23]', async () => {
    for (const one of await fetchInGerman()) {
      const policy = one.headers.get('content-security-policy') ?? ''
      expect([one.path, policy]).toEqual([
        one.path,
        expect.stringMatching(/^default-src 'none'; style-src 'self';/),
      ])
      expect([one.path, policy]).toEqual([
        one.path,
        expect.not.stringMatching(/unsafe|https?:\/\/\*|script-src (?!'self')/),
      ])
      const inside = /<style|<script(?![^>]* src="\/)|\s(style|on\w+)="|javascript:/i.exec(one.text)?.[0]
      expect([one.path, inside]).toEqual([one.path, undefined])
    }
  })

  test('pages in German have no words of English', async () => {
    const found: string[] = []
    // Documents are in English, and say so.
    for (const one of (await fetchInGerman()).filter(({ path }) => !path.startsWith('/docs'))) {
      expect([one.path, one.headers.get('content-language')]).toEqual([one.path, 'de'])
      for (const line of wordsIn(one.text)) {
        if (english.test(line)) found.push(`${one.path}: ${line}`)
      }
    }
    expect(found).toEqual([])
  })

  test('every page of the server is among them', () => {
    const paths = shown.pages.map(({ path }) => path.replace(/\?.*/, ''))
    const left = listedPages.filter(({ method, path, file, app: view }) => {
      if (method !== 'GET' || leadsOn.test(file) || (view && file.includes('/app/'))) return false
      const pattern = new RegExp(
        `^${path.replaceAll(/:\w+\{([^{}]*)\}/g, '($1)').replaceAll(/:\w+/g, '[^/]+')}$`,
      )
      return !notPages.includes(path) && !isAlike(path) && !paths.some((one) => pattern.test(one))
    })
    expect(left.map(({ path }) => path)).toEqual([])
  })
})

/** Files of addresses that only lead on, and of feeds. */
const leadsOn = /mastodon-addresses|remote-redirect|\/rss\.ts$/
/** What leads on, or is a file to save. */
const notPages = [
  '/docs/images/:name',
  // Where documents stood before.
  '/docs/:name',
  // With what a provider of identities has just said: openid-connect.test.ts looks at them.
  '/auth/auth/:provider/callback',
  '/auth/identity',
  '/admin',
  '/admin/reports/:id{[0-9]+}/state',
  '/admin/audit_log/export',
  '/admin/domain_allows/export',
  '/admin/domain_blocks/export',
  '/about/more',
  '/users/:username',
  '/users/:username/statuses/:id{[0-9]+}',
  '/settings/exports/:file',
  '/settings/backups/:id',
  '/settings/imports/:id/failures.csv',
  '/severed_relationships/:id/followers.csv',
  '/severed_relationships/:id/following.csv',
  // With a first factor that was right just now: two-factor.test.ts and passkeys.test.ts look at it.
  '/auth/second_factor',
]

/** Words that stand in every English sentence, and in no German one. */
const english = /\b(the|and|your|you|with|this|that|of|to|is|are|not|for|it)\b/i

/** The texts of a page, its names for assistive technology too. */
function wordsIn(text: string): string[] {
  const told = [...text.matchAll(/\s(?:alt|title|aria-label|placeholder)="([^"]*)"/g)].map(
    ([, words = '']) => words,
  )
  // What stands as code is a name of the software's, the same in every language.
  const seen = text.replaceAll(/<(head|style|script|code)\b.*?<\/\1>/gs, '').split(/<[^>]*>/)
  return [...told, ...seen].map((line) => line.replaceAll(/\s+/g, ' ').trim()).filter((line) => line !== '')
}
