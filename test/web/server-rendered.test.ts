// Every page that the server renders, as a browser and axe see it: wide and light, narrow and dark.
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSession } from '#domain/identity/oauth/sessions.ts'
import { createWebApp } from '#http/server-app.ts'
import { compressAnswers } from '#http/kit/compression/compress-answers.ts'
import { startApp, type TestApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { findViolations } from '#test/web/axe.ts'
import { layServer, type ShownPage, type ShownServer } from '#test/web/server-rendered.ts'

const executable = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path && existsSync(path),
)
const isCi = process.env['CI'] === 'true'
const title = executable
  ? 'server-rendered pages'
  : 'server-rendered pages (skipped: chromium is not installed)'

const looks = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

describe.skipIf(!executable && !isCi)(title, () => {
  let app: TestApp
  let server: Server
  let browser: Browser
  let shown: ShownServer
  const contexts = new Map<Person | undefined, Promise<BrowserContext>>()
  /** What the browser complained about on the page that is open. */
  let complaints: string[] = []

  beforeAll(async () => {
    if (!executable) throw new Error('CI=true needs chromium: install it or set CHROMIUM to its path')
    server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    app = await startApp({ env: { LOCAL_DOMAIN: `localhost:${port}`, PORT: String(port) } })
    server.on('request', compressAnswers(app.ctx.config, getRequestListener(createWebApp(app.ctx).fetch)))
    shown = await layServer(app)
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: executable, args })
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

  async function lookAt({ path, as, status = 200 }: ShownPage, page: Page): Promise<string[]> {
    complaints = []
    const response = await page.goto(app.ctx.config.baseUrl + path)
    const found: string[] = response?.status() === status ? [] : [`answered ${response?.status()}`]
    for (const { viewport, colorScheme } of looks) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      const sideways = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      if (sideways !== 0) found.push(`${sideways} pixels to scroll sideways at ${viewport.width}`)
      found.push(...(await findViolations(page)).map((line) => `${viewport.width} ${line}`))
    }
    found.push(...complaints.map((text) => `complaint: ${text}`))
    return found.map((line) => `${path}${as ? ` as ${as.username}` : ''}: ${line}`)
  }

  test('axe finds nothing, nothing is to be scrolled sideways, and the browser complains about nothing [CNT-23]', async () => {
    const found: string[] = []
    for (const one of shown.pages) {
      if (!contexts.has(one.as)) contexts.set(one.as, contextOf(one.as))
      const context = await (contexts.get(one.as) as Promise<BrowserContext>)
      const page = context.pages()[0] ?? (await context.newPage())
      found.push(...(await lookAt(one, page)))
    }
    expect(found).toEqual([])
  })
})
