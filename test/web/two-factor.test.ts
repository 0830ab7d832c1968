// A second factor set up and used in a browser, as people do it: codes of an app, recovery codes, passkeys.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Person } from '#test/people/people.ts'
import { password, personWithPassword } from '#test/people/sign-in.ts'
import { codeOf, factorsPath } from '#test/people/two-factor.ts'
import { addAuthenticator } from '#test/web/authenticator.ts'
import { describeWeb } from '#test/web/web.ts'

const stepPath = '/auth/second_factor'

describeWeb(
  'a second factor',
  (web) => {
    const pathOf = (page: Page) => new URL(page.url()).pathname

    /** The page about second factors, after the password was given there. */
    async function unlocked(person: Person): Promise<Page> {
      const page = await web.open(factorsPath, { as: person })
      await page.getByLabel('Current password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Set up an app' }).waitFor()
      return page
    }

    async function signOut(page: Page): Promise<void> {
      await page.goto(`${web.app.ctx.config.baseUrl}/settings`)
      await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    }

    /** Gives name and password. */
    async function begin(page: Page, { username }: Person): Promise<void> {
      await page.goto(`${web.app.ctx.config.baseUrl}/auth/sign_in`)
      await page.getByLabel('E-mail address or username').fill(username)
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${stepPath}`)
    }

    /** Types into what has the focus, as who has just come to the page does, and sends it. */
    async function type(page: Page, code: string): Promise<void> {
      await page.keyboard.type(code)
      await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')])
      await page.waitForLoadState()
    }

    test('is codes of an app: set up, and given at sign-in, or a recovery code in their place', async () => {
      const wren = await personWithPassword(web.app, 'wren')
      // A wrong code answers 422, which the browser tells.
      web.expectComplaints()
      const page = await unlocked(wren)
      await page.getByRole('button', { name: 'Set up an app' }).click()
      const secret = ((await page.locator('code.secret').textContent()) ?? '').replaceAll(' ', '')
      expect(await page.getByRole('main').getByRole('img').count()).toBe(0)
      await type(page, '000000')
      await page.getByText('This code is wrong or too old.').waitFor()
      expect(await web.axe(page)).toEqual([])
      await type(page, codeOf(web.app, secret))
      await page.getByRole('heading', { name: 'Turned on' }).waitFor()
      const [recovery = ''] = await page.getByRole('listitem').getByRole('code').allTextContents()
      // It is no wrong code of a set-up, and the secret is shown to nobody again.
      await page.reload()
      await page.getByText('A second factor is on.').waitFor()

      await signOut(page)
      await begin(page, wren)
      await type(page, '000000')
      await page.getByRole('alert').filter({ hasText: 'This code is wrong or was used before.' }).waitFor()
      expect(await web.axe(page)).toEqual([])
      web.app.clock.advance(30_000)
      const code = codeOf(web.app, secret)
      await type(page, `${code.slice(0, 3)} ${code.slice(3)}`)
      expect(pathOf(page)).toBe('/home')

      await signOut(page)
      await begin(page, wren)
      await type(page, code)
      expect(pathOf(page)).toBe(stepPath)
      await type(page, recovery.toUpperCase())
      expect(pathOf(page)).toBe('/home')
      await signOut(page)
      await begin(page, wren)
      await type(page, recovery)
      await page.getByRole('alert').filter({ hasText: 'was used before' }).waitFor()
    })

    test('wants the password first, and has the focus in it when that was wrong', async () => {
      const wren = await personWithPassword(web.app, 'wren')
      web.expectComplaints()
      const page = await web.open(factorsPath, { as: wren, viewport: { width: 390, height: 844 } })
      await page.getByLabel('Current password').fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByText('This is not your password.').waitFor()
      await type(page, password)
      await page.getByRole('button', { name: 'Set up an app' }).waitFor()
      const [settings, out] = await Promise.all(
        [
          page.getByRole('link', { name: 'Settings', exact: true }),
          page.getByRole('button', { name: 'Sign out' }),
        ].map((one) => one.boundingBox()),
      )
      // Beside each other, however narrow it is.
      expect(settings && out && settings.x + settings.width <= out.x).toBe(true)
    })

    test('is a passkey, which is enough by itself as well', async () => {
      const wren = await personWithPassword(web.app, 'wren')
      const page = await unlocked(wren)
      const session = await page.context().newCDPSession(page)
      const authenticatorId = await addAuthenticator(session)
      await page.getByLabel('Name of a new passkey').fill('Laptop')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('button', { name: 'Make the passkey' }).click()
      await page.getByRole('heading', { name: 'Turned on' }).waitFor()

      await page.getByRole('link', { name: 'Go on' }).click()
      await page.getByLabel('Name of a new passkey').fill('Laptop again')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('button', { name: 'Make the passkey' }).click()
      await page.getByRole('alert').filter({ hasText: 'has a passkey for this account already' }).waitFor()
      expect(await web.axe(page)).toEqual([])

      await signOut(page)
      await page.goto(`${web.app.ctx.config.baseUrl}/auth/sign_in`)
      await page.getByRole('link', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL('**/home')

      await signOut(page)
      await begin(page, wren)
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
      const button = page.getByRole('button', { name: 'Use a passkey' })
      await button.click()
      await page.getByRole('alert').filter({ hasText: 'That did not work.' }).waitFor()
      await button.and(page.locator(':focus')).waitFor()
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
      await page.keyboard.press('Enter')
      await page.waitForURL('**/home')
    })
  },
  { host: 'localhost' },
)
