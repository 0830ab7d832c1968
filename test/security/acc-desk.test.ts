// Who may open the pages of the staff's desk: every one of them, with every role that lacks just what it asks for.
import { beforeAll, describe, expect, test } from 'vitest'
import { permissions, type Permission } from '#domain/identity/accounts/permissions.ts'
import { sections, sectionPath } from '#http/web/admin/kit/sections.ts'
import { pages, type ListedPage } from '#http/web/pages.ts'
import { useApp } from '#test/app/app.ts'
import type { Browser } from '#test/client/browser.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import type { RoleId } from '#lib/id.ts'

const app = useApp()

const isDesk = ({ path }: ListedPage) => /^\/admin(\/|$)/.test(path)
const deskPages = pages.filter((page) => isDesk(page) || page.permission !== undefined)
const neededBy = (page: ListedPage): readonly Permission[] => [page.permission ?? []].flat()
const bits = (names: readonly Permission[]) => names.reduce((sum, name) => sum | permissions[name], 0n)
const all = Object.keys(permissions).filter((name) => name !== 'administrator') as Permission[]
const nameOf = ({ method, path }: ListedPage) => `${method} ${path}`

/** Statements that find out who calls. */
const asksWhoCalls = (statement: string) =>
  /sessions|last_active_at|user_activity|from settings/.test(statement)

let browser: Browser
let setRole: (allowed: bigint | null, demandsFactor?: boolean) => Promise<void>
let count = 0

beforeAll(async () => {
  const person = await personWithPassword(app, 'staff')
  browser = await signedIn(app, person)
  setRole = async (allowed, demandsFactor = false) => {
    const id = allowed === null ? null : app.ctx.newId<RoleId>()
    if (id !== null) {
      const role = { id, name: `Role ${++count}`, permissions: String(allowed), position: 50 }
      await app.ctx.db
        .insertInto('roles')
        .values({ ...role, require_2fa: demandsFactor })
        .execute()
    }
    await app.ctx.db.updateTable('users').set({ role_id: id }).where('id', '=', person.userId).execute()
  }
})

/** The address of a page, of things that there are not. */
const addressOf = ({ path }: ListedPage) =>
  path.replaceAll(/:(domain|host)\b(\{[^}]*\})?/g, 'nowhere.example').replaceAll(/:\w+(\{[^}]*\})?/g, '1')

async function open(page: ListedPage, by = browser) {
  const path = addressOf(page)
  if (page.method === 'GET') return by.get(path)
  const form = (await by.get('/settings/two-factor')).forms[0]
  return by.post(path, { authenticity_token: form?.fields['authenticity_token'] ?? '' })
}

/** Where a page is not refused, or something is read before it is. */
async function admissions(list: readonly ListedPage[]): Promise<unknown[]> {
  const wrong: unknown[] = []
  for (const page of list) {
    let status = 0
    const statements = await app.countQueries(async () => {
      status =
        page.method === 'GET' ? (await open(page)).status : (await browser.post(addressOf(page), {})).status
    })
    const work = statements.filter((statement) => !asksWhoCalls(statement))
    if (status !== 403 || work.length > 0) wrong.push([nameOf(page), status, work])
  }
  return wrong
}

test('every page of the desk names what a role must allow, and none else does [ACC-9]', () => {
  expect(deskPages.length).toBeGreaterThan(0)
  expect(deskPages.filter((page) => !isDesk(page) || neededBy(page).length === 0).map(nameOf)).toEqual([])
})

describe('refused before any work [ACC-9]', () => {
  test('are people without a role', async () => {
    await setRole(null)
    expect(await admissions(deskPages)).toEqual([])
  })

  test.each(all)('are roles that lack %s', async (missing) => {
    await setRole(bits(all.filter((name) => name !== missing)))
    expect(
      await admissions(deskPages.filter((page) => neededBy(page).every((name) => name === missing))),
    ).toEqual([])
  })
})

describe('led away', () => {
  test('are strangers, to the sign-in page and back', async () => {
    const stranger = newBrowser(app)
    for (const page of deskPages.filter(({ method }) => method === 'GET')) {
      const { status, location } = await stranger.get(addressOf(page))
      const back = `/auth/sign_in?${new URLSearchParams({ return_to: addressOf(page) })}`
      expect([nameOf(page), status, location]).toEqual([nameOf(page), 302, back])
    }
  })

  test('are staff without the second factor that their role demands', async () => {
    await setRole(permissions.administrator, true)
    for (const page of deskPages) {
      const { location } = await open(page)
      expect([nameOf(page), location]).toEqual([
        nameOf(page),
        expect.stringMatching(/^\/settings\/two-factor/),
      ])
    }
  })
})

test('forms of other sites do nothing on the desk [AUTH-10]', async () => {
  await setRole(permissions.administrator)
  for (const page of deskPages.filter(({ method }) => method === 'POST')) {
    const { status } = await browser.post(addressOf(page), {})
    expect([nameOf(page), status]).toEqual([nameOf(page), 422])
  }
})

describe('admitted', () => {
  test.each(all)('are roles that have just %s, and see links to what is theirs alone', async (held) => {
    await setRole(bits([held]))
    const wrong: unknown[] = []
    for (const page of deskPages.filter((one) => neededBy(one).includes(held))) {
      const { status, text } = await open(page)
      // No such thing, wrong parameters, or done: anything but a refusal.
      if (status === 403 || status >= 500) wrong.push([nameOf(page), status])
      if (page.method !== 'GET' || status !== 200 || !text.includes('desk-sections')) continue
      const foreign = sections.filter(({ name, permission }) => {
        const isTheirs = [permission].flat().includes(held)
        return isTheirs !== text.includes(`<a href="${sectionPath(name)}"`)
      })
      if (foreign.length > 0) wrong.push([nameOf(page), foreign.map(({ name }) => name)])
    }
    expect(wrong).toEqual([])
  })
})
