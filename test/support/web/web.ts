// The web app in a real browser: one server in this process and one browser for each test file. People are signed in by
// their cookie, and views are found by the names that screen readers say.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startSession } from '#domain/identity/oauth/sessions.ts'
import { startStreamingApp, type StreamingApp } from '#test/app/streaming-app.ts'
import { takeDatabase, type TestDatabase } from '#test/app/databases.ts'
import type { Person } from '#test/people/people.ts'
import { freePort } from '#test/processes/free-port.ts'
import { findViolations } from './axe.ts'
import { describeInBrowser, launchBrowser, type BrowserKind } from './chromium.ts'
import { patience } from '#test/run/patience.ts'
import { buildApp } from '../../../client/build/build.ts'
import { isNight } from '#test/run/night.ts'

export interface OpenOptions extends BrowserContextOptions {
  /** Who is signed in; nobody without it. */
  as?: Person
}

export interface Web {
  readonly app: StreamingApp
  readonly browser: Browser
  /** Opens an address of the server in a window of its own, which is closed after the test. */
  open(path: string, options?: OpenOptions): Promise<Page>
  /** A window without a page, for tests that need several or look at requests from the first one on. */
  context(options?: OpenOptions): Promise<BrowserContext>
  /** What the browser complains about from now on in this test is expected. */
  expectComplaints(): string[]
  /** What axe finds, a line each: rule, and where. */
  axe(page: Page): Promise<string[]>
}

export interface WebOptions {
  env?: Record<string, string>
  kind?: BrowserKind
  /** What it is called by the browser, without its port; passkeys want a name. */
  host?: string
  /**
   * Whether pages have the app's service worker. Each window is one of somebody who has never been here, in which it would
   * first fetch all of the app anew: by day only those have it that are about it.
   */
  hasServiceWorker?: boolean
}

/** `describe` with the app in a browser; skipped where there is none, which in continuous integration fails. */
export function describeWeb(title: string, work: (web: Web) => void, options: WebOptions = {}): void {
  describeInBrowser(title, () => work(useWeb(options)), options.kind)
}

/** Has a page's service worker never be there. */
const withoutServiceWorker =
  'if (globalThis.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = () => new Promise(() => {})'

function useWeb({
  env: more = {},
  kind = 'shell',
  host = '127.0.0.1',
  hasServiceWorker = isNight,
}: WebOptions): Web {
  let app: StreamingApp
  let browser: Browser
  let database: TestDatabase | undefined
  const windows = createWindows(() => ({ app, browser }), hasServiceWorker)

  beforeAll(async () => {
    await buildApp()
    database = await takeDatabase()
    const port = await freePort()
    const env = { LOCAL_DOMAIN: `${host}:${port}`, PORT: String(port), ...more }
    app = await startStreamingApp({ databaseUrl: database.url, Client: database.Client, env, port })
    browser = await launchBrowser(kind)
  })

  afterAll(async () => {
    await browser?.close()
    await app?.stop()
    await database?.release()
  })

  afterEach(windows.closeAll)

  return {
    get app() {
      return app
    },
    get browser() {
      return browser
    },
    context: windows.context,
    async open(path, options) {
      const page = await (await windows.context(options)).newPage()
      await page.goto(app.ctx.config.baseUrl + path)
      return page
    },
    expectComplaints: windows.expectComplaints,
    axe: findViolations,
  }
}

/** The windows of one test, and what the browser complains about in them. */
function createWindows(running: () => { app: StreamingApp; browser: Browser }, hasServiceWorker: boolean) {
  const contexts = new Set<BrowserContext>()
  let complaints: string[] = []
  let expected: string[] | null = null
  const hear = (text: string) => void (expected ?? complaints).push(text)

  return {
    async context({ as, ...options }: OpenOptions = {}): Promise<BrowserContext> {
      const { app, browser } = running()
      const made = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', ...options })
      contexts.add(made)
      made.setDefaultTimeout(patience)
      if (!hasServiceWorker) await made.addInitScript(withoutServiceWorker)
      made.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') hear(message.text())
      })
      made.on('weberror', (error) => hear(String(error.error())))
      if (as) await made.addCookies([await sessionCookie(app, as)])
      return made
    },
    /** Fails the test that was complained about. */
    async closeAll(): Promise<void> {
      await Promise.all(Array.from(contexts, (context) => context.close()))
      contexts.clear()
      const heard = complaints
      complaints = []
      expected = null
      if (heard.length > 0) throw new Error(`the browser complained:\n${heard.join('\n')}`)
    },
    expectComplaints: () => (expected ??= []),
  }
}

/** A session as signing in makes it. */
async function sessionCookie({ ctx }: StreamingApp, { userId }: Person) {
  const about = { userId, address: '127.0.0.1', userAgent: null, passwordHash: null }
  const { secret } = await ctx.transaction((tx) => startSession(tx, about))
  return {
    name: 'stonechat_session',
    value: secret,
    url: ctx.config.baseUrl,
    httpOnly: true,
    sameSite: 'Lax' as const,
  }
}
