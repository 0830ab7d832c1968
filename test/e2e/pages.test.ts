// The pages in a real browser: what it refuses to load or run shows here and nowhere else.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createWebApp } from '#http/server-app.ts'
import { startApp, type TestApp } from '#test/app/app.ts'
import { blackPng } from '#test/files/media-files.ts'
import type { Person } from '#test/people/people.ts'
import { password, personWithPassword } from '#test/people/sign-in.ts'
import { describeInBrowser, launchBrowser } from '#test/web/chromium.ts'

/** Runs in the page: pictures that did not load, pixels to scroll sideways, whether the stylesheet holds. */
const lookAround = `({
  broken: [...document.images].filter((image) => image.complete && image.naturalWidth === 0).length,
  sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  styled: getComputedStyle(document.body).marginTop === '0px',
})`

describeInBrowser('pages in a browser', () => {
  let app: TestApp
  let server: Server
  let browser: Browser
  let wren: Person
  /** What the browser complained about. */
  let complaints: string[] = []

  beforeAll(async () => {
    server = createServer()
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo
    app = await startApp({ env: { LOCAL_DOMAIN: `127.0.0.1:${port}`, PORT: String(port) } })
    server.on('request', getRequestListener(createWebApp(app.ctx).fetch))
    wren = await personWithPassword(app, 'wren')
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
    await app?.close()
  })

  afterEach(() => {
    const heard = complaints
    complaints = []
    if (heard.length > 0) throw new Error(`the browser complained:\n${heard.join('\n')}`)
  })

  async function open(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage({ locale: 'en', ...options })
    page.on('console', (message) => {
      // This server has no streams, which the web app asks for.
      const isStream = message.text().includes('/api/v1/streaming')
      const isComplaint = message.type() === 'error' || message.type() === 'warning'
      if (isComplaint && !isStream) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`))
    await page.goto(app.ctx.config.baseUrl + path)
    return page
  }

  test('opens the home page, signs in and signs out', async () => {
    const said = await wren.say('seen in a browser')
    const page = await open('/')
    await page.locator(`#post-${said.id}`).getByText('seen in a browser').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).first().click()
    await page.getByLabel('E-mail address or username').fill(wren.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/home')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    await page.close()
  })

  test('loads the pictures of every page, wide and narrow, light and dark [CNT-23]', async () => {
    const said = await wren.say('a post to look at', { spoiler_text: 'Behind this' })
    const paths = ['/', '/about', `/@${wren.username}`, `/@${wren.username}/${said.id}`, '/auth/sign_in']
    for (const [width, colorScheme] of [
      [1200, 'light'],
      [360, 'dark'],
    ] as const) {
      for (const path of paths) {
        const page = await open(path, { viewport: { width, height: 800 }, colorScheme })
        const look = await page.evaluate(lookAround)
        expect([path, width, look]).toEqual([path, width, { broken: 0, sideways: 0, styled: true }])
        await page.close()
      }
    }
  })

  test('shows pictures and a poll, wide and narrow, and their description on demand', async () => {
    const robin = await app.person('robin')
    const pictures = [blackPng(640, 400), blackPng(300, 500), blackPng(500, 500)]
    const media_ids: string[] = []
    for (const [index, bytes] of pictures.entries()) {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(bytes)]), 'night.png')
      form.append('description', `Night number ${index + 1}`)
      const uploaded = await app.fetch('/api/v2/media', {
        method: 'POST',
        headers: { authorization: `Bearer ${robin.token}` },
        body: form,
      })
      media_ids.push(((await uploaded.json()) as { id: string }).id)
    }
    await app.settle()
    const said = await robin.say('three nights', { media_ids })
    const poll = { options: ['Darker', 'Lighter'], expires_in: 3600 }
    const asked = await robin.say('how?', { in_reply_to_id: said.id, poll })
    const path = `/@${robin.username}/${said.id}`
    for (const [width, colorScheme] of [
      [1200, 'dark'],
      [360, 'light'],
    ] as const) {
      for (const address of [path, `${path}/embed`, `/@${robin.username}/media`]) {
        const page = await open(address, { viewport: { width, height: 2400 }, colorScheme })
        await page.getByRole('img', { name: 'Night number 3' }).first().scrollIntoViewIfNeeded()
        await page.waitForLoadState('networkidle')
        const look = await page.evaluate(lookAround)
        expect([address, width, look]).toEqual([address, width, { broken: 0, sideways: 0, styled: true }])
        const text = page.locator('.alt > p', { hasText: 'Night number 1' })
        expect(await text.isVisible()).toBe(false)
        await page.locator('.alt > summary').first().click()
        await text.waitFor({ state: 'visible' })
        await page.close()
      }
    }
    const page = await open(`/@${robin.username}/${asked.id}`)
    expect(await page.locator('.post.main progress').count()).toBe(2)
    await page.close()
  })

  test('a content warning opens by hand, without a script', async () => {
    const said = await wren.say('hidden until asked', { spoiler_text: 'Careful' })
    const page = await open(`/@${wren.username}/${said.id}`)
    const text = page.getByText('hidden until asked')
    expect(await text.isVisible()).toBe(false)
    await page.locator('summary', { hasText: 'Careful' }).click()
    await text.waitFor({ state: 'visible' })
    await page.close()
  })

  test('another site can frame the embedded post, and nothing else [CNT-22]', async () => {
    const said = await wren.say('framed words')
    const base = app.ctx.config.baseUrl
    const foreign = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://x').searchParams.get('path') ?? ''
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><link rel="icon" href="data:,"><iframe src="${base}${path}"></iframe>`)
    })
    await new Promise<void>((resolve) => {
      foreign.listen(0, '127.0.0.1', resolve)
    })
    const { port } = foreign.address() as AddressInfo
    const page = await browser.newPage()
    const framed = async (path: string) => {
      await page.goto(`http://127.0.0.1:${port}/?path=${encodeURIComponent(path)}`, { waitUntil: 'load' })
      return (await page.frames()[1]?.content()) ?? ''
    }
    try {
      expect(await framed(`/@${wren.username}/${said.id}/embed`)).toContain('framed words')
      expect(await framed(`/@${wren.username}/${said.id}`)).not.toContain('framed words')
      expect(await framed('/auth/sign_in')).not.toContain('authenticity_token')
    } finally {
      await page.close()
      foreign.close()
    }
  })
})
