// Passwords and signed-in browsers for tests of pages.
import { argon2Sync } from 'node:crypto'
import { hashPassword } from '#lib/passwords.ts'
import type { TestApp } from '#test/app/app.ts'
import { createBrowser, type Browser } from '#test/client/browser.ts'
import type { Person, PersonOptions } from './people.ts'

export const password = 'correct horse battery'
/** Its hash, which is cheap to check: how dear that is for a password that was chosen here is not what most tests are about. */
const hash = cheapHash()

function cheapHash(): string {
  const nonce = Buffer.alloc(16, 7)
  const tag = argon2Sync('argon2id', {
    message: password,
    nonce,
    memory: 8,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  })
  const [salt, hashed] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hashed}`
}

/** A person who can sign in with `password`. */
export async function personWithPassword(
  app: Pick<TestApp, 'ctx' | 'person'>,
  name: string,
  options?: PersonOptions,
): Promise<Person> {
  const person = await app.person(name, options)
  await app.ctx.db.updateTable('users').set({ password_hash: hash }).where('id', '=', person.userId).execute()
  return person
}

/** From now on checking the password costs what it costs for one that was chosen here. */
export async function hashAsChosen(app: TestApp, { userId }: Person): Promise<void> {
  const password_hash = await hashPassword(password)
  await app.ctx.db.updateTable('users').set({ password_hash }).where('id', '=', userId).execute()
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
