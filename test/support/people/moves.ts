// Moving house by the pages for it. Both want a person of `personWithPassword`.
import type { TestApp } from '#test/app/app.ts'
import type { Person } from './people.ts'
import { password, signedIn } from './sign-in.ts'

const path = '/settings/migration'

/** Says that the account of a handle is this person's too. */
export async function nameAlias(app: TestApp, person: Person, alias: string): Promise<void> {
  const browser = await signedIn(app, person)
  const form = (await browser.get(path)).form('/settings/aliases')
  expectRedirect(await browser.submit(form, { alias }))
}

/** Leaves for the account of a handle, which must name this one as an alias. */
export async function moveTo(app: TestApp, person: Person, handle: string): Promise<void> {
  const browser = await signedIn(app, person)
  const form = (await browser.get(path)).form(path)
  expectRedirect(await browser.submit(form, { move_acct: handle, move_password: password }))
}

function expectRedirect({ status }: { status: number }): void {
  if (status !== 303) throw new Error(`the form was answered with ${status}`)
}
