// Second factors in a real browser, with its own authenticator: what its WebAuthn wants shows here alone.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebApp } from '#http/server-app.ts'
import { startApp, type TestApp } from '#test/app/app.ts'
import { codeOf } from '#test/people/two-factor.ts'
import { password, personWithPassword } from '#test/people/sign-in.ts'
import { addAuthenticator } from '#test/web/authenticator.ts'
import { describeInBrowser, launchBrowser } from '#test/web/chromium.ts'

describeInBrowser('second factors in a browser', () => {
  let app: TestApp
  let server: Server
  let browser: Browser

  beforeAll(async () => {
    server = createServer()
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo
    // Passkeys want a name: an address will not do.
    app = await startApp({ env: { LOCAL_DOMAIN: `localhost:${port}`, PORT: String(port) } })
    server.on('request', getRequestListener(createWebApp(app.ctx).fetch))
    browser = await launchBrowser()
  })

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
    await app?.close()
  })

  /** A page with an authenticator, and what it complains about. */
  async function openPage(): Promise<{ page: Page; complaints: string[] }> {
    const page = await browser.newPage({ locale: 'en' })
    const complaints: string[] = []
    page.on('console', (message) => {
      // This server has no streams, which the web app asks for.
      const isStream = message.text().includes('/api/v1/streaming')
      const isBad = message.type() === 'error' || message.type() === 'warning'
      if (isBad && !isStream) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    const session = await page.context().newCDPSession(page)
    await addAuthenticator(session)
    return { page, complaints }
  }

  const address = (path: string) => app.ctx.config.baseUrl + path

  async function signIn(page: Page, name: string): Promise<void> {
    await page.goto(address('/auth/sign_in?return_to=/settings/two-factor'))
    await page.getByLabel('E-mail address or username').fill(name)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click()

  async function unlock(page: Page): Promise<void> {
    await page.getByLabel('Current password').fill(password)
    await page.getByRole('button', { name: 'Go on' }).click()
  }

  test('a passkey is made, named, and signs in after the password and in its place [AUTH-14]', async () => {
    const wren = await personWithPassword(app, 'wren')
    const { page, complaints } = await openPage()
    await signIn(page, wren.email)
    await unlock(page)
    await page.getByLabel('Name of a new passkey').fill('This laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Make the passkey' }).click()
    await page.getByText('Each code signs you in once').waitFor()
    expect(await page.locator('ol.codes li').count()).toBe(10)
    await page.getByRole('link', { name: 'Go on' }).click()
    await page.getByText('This laptop').waitFor()

    await signOut(page)
    await signIn(page, wren.email)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('A second factor is on.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/settings/two-factor')

    await signOut(page)
    await page.goto(address('/auth/sign_in'))
    await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(`@${wren.username}`).first().waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('where the browser has no JSON helpers, the page has its own [AUTH-14]', async () => {
    const robin = await personWithPassword(app, 'robin')
    const { page, complaints } = await openPage()
    await page.addInitScript(`
      delete PublicKeyCredential.parseCreationOptionsFromJSON
      delete PublicKeyCredential.parseRequestOptionsFromJSON
      delete PublicKeyCredential.prototype.toJSON`)
    await signIn(page, robin.email)
    await unlock(page)
    await page.getByLabel('Name of a new passkey').fill('Old browser')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Make the passkey' }).click()
    await page.getByText('Each code signs you in once').waitFor()
    await signOut(page)
    await signIn(page, robin.email)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('A second factor is on.').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  test('a key that the browser does not have is told, and the page works on', async () => {
    const rook = await personWithPassword(app, 'rook')
    const { page } = await openPage()
    await page.goto(address('/auth/passkey'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('That did not work. Try again').waitFor()
    await page.getByRole('link', { name: 'Sign in with name and password' }).click()
    await page.getByLabel('E-mail address or username').fill(rook.email)
    expect(new URL(page.url()).pathname).toBe('/auth/sign_in')
    await page.close()
  })

  test('an app is set up by a picture that the content policy lets through', async () => {
    const jay = await personWithPassword(app, 'jay')
    const { page, complaints } = await openPage()
    await signIn(page, jay.email)
    await unlock(page)
    await page.getByRole('button', { name: 'Set up an app' }).click()
    const picture = await page.locator('.qr svg').boundingBox()
    expect(picture!.width).toBeGreaterThan(150)
    expect(Math.abs(picture!.width - picture!.height)).toBeLessThan(2)
    const secret = ((await page.locator('code.secret').textContent()) ?? '').replaceAll(' ', '')
    await page.getByLabel('Six-digit code').fill(codeOf(app, secret))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Each code signs you in once').waitFor()
    await signOut(page)
    app.clock.advance(30_000)
    await signIn(page, jay.email)
    await page.getByLabel('Code from your app').fill(codeOf(app, secret))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('A second factor is on.').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
