// Second factors of people in tests, set up as they do it.
import { decode } from 'html-entities'
import { TOTP, Secret } from 'otpauth'
import type { TestApp } from '#test/app/app.ts'
import type { Authenticator } from '#test/client/authenticator.ts'
import type { Browser, Seen } from '#test/client/browser.ts'
import type { Json } from '#test/client/client.ts'
import { password } from './sign-in.ts'

export const factorsPath = '/settings/two-factor'
const period = 30_000

/** Gives the password, so that factors can be changed for ten minutes. Returns the page with what can be done. */
export async function unlock(browser: Browser): Promise<Seen> {
  const page = await browser.get(factorsPath)
  const isOpen = !page.forms.some(({ action }) => action === `${factorsPath}/unlock`)
  if (isOpen) return page
  const done = await browser.submit(page.form(`${factorsPath}/unlock`), { current_password: password })
  if (done.status !== 303) throw new Error(`unlocking answered ${done.status}`)
  return browser.get(factorsPath)
}

/** The code that an app shows now, or some steps later. */
export function codeOf(app: Pick<TestApp, 'clock'>, secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: app.clock.now() + steps * period,
  })
}

export const secretIn = (page: Seen): string =>
  /<code class="secret">([A-Z2-7 ]+)<\/code>/.exec(page.text)![1]!.replaceAll(' ', '')

export const codesIn = (page: Seen): string[] =>
  [...page.text.matchAll(/<code>([a-z2-7-]+)<\/code>/g)].map(([, code = '']) => code)

/** Turns codes of an app on, and moves the clock past the code that was used up by it. */
export async function turnOnApp(
  app: TestApp,
  browser: Browser,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const page = await unlock(browser)
  const setup = await browser.submit(page.form(`${factorsPath}/app`))
  const secret = secretIn(setup)
  const code = codeOf(app, secret)
  const done = await browser.submit(setup.form(`${factorsPath}/app/confirm`), { code })
  if (done.status !== 200) throw new Error(`turning on answered ${done.status}: ${done.text}`)
  app.clock.advance(period)
  return { secret, recoveryCodes: codesIn(done) }
}

/** What the page hands to its script. */
export function optionsIn(page: Seen): Json {
  const text = /data-options="([^"]*)"/.exec(page.text)?.[1]
  if (text === undefined)
    throw new Error(`${page.status}: no passkey is asked for in ${page.text.slice(0, 3000)}`)
  return JSON.parse(decode(text))
}

/** Opens the page that asks for a new passkey. */
export async function beginPasskey(browser: Browser, nickname = 'My key'): Promise<Seen> {
  const page = await unlock(browser)
  return browser.submit(page.form(`${factorsPath}/passkeys`), { nickname })
}

/** Adds a passkey that this authenticator makes. */
export async function addPasskey(
  browser: Browser,
  authenticator: Authenticator,
  nickname?: string,
): Promise<Seen> {
  const page = await beginPasskey(browser, nickname)
  const credential = authenticator.create(optionsIn(page))
  return browser.submit(page.form(`${factorsPath}/passkeys/confirm`), { credential })
}
