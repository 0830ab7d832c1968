// Passwords and signed-in browsers for tests of pages.
import { hashPassword } from '#lib/passwords.ts'
import type { TestApp } from '#test/app/app.ts'
import { createBrowser, type Browser } from '#test/client/browser.ts'
import type { Person, PersonOptions } from './people.ts'

export const password = 'correct horse battery'
let hash: Promise<string> | undefined

/** A person who can sign in with `password`. */
export async function personWithPassword(
  app: TestApp,
  name: string,
  options?: PersonOptions,
): Promise<Person> {
  const person = await app.person(name, options)
  const password_hash = await (hash ??= hashPassword(password))
  await app.ctx.db.updateTable('users').set({ password_hash }).where('id', '=', person.userId).execute()
  return person
}

export function newBrowser(app: TestApp): Browser {
  return createBrowser(app.fetch, new URL(app.ctx.config.baseUrl).origin)
}

/** Fills in the sign-in form. */
export async function fillSignIn(browser: Browser, name: string, secret = password, path = '/auth/sign_in') {
  const page = await browser.get(path)
  return browser.submit(page.form('/auth/sign_in'), { 'user[email]': name, 'user[password]': secret })
}

/** A browser in which this person is signed in. */
export async function signedIn(app: TestApp, person: Person): Promise<Browser> {
  const browser = newBrowser(app)
  const seen = await fillSignIn(browser, person.email)
  if (seen.status !== 303) throw new Error(`signing in answered ${seen.status}`)
  return browser
}
