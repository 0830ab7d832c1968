import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Browser } from '#test/client/browser.ts'
import type { Person } from '#test/people/people.ts'
import { password, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
const path = '/settings/migration'
const day = 86_400_000

/** Two accounts, of which the new one names the old one as an alias. */
async function pair(): Promise<{ old: Person; fresh: Person; browser: Browser }> {
  const [old, fresh] = [await personWithPassword(app, 'old'), await personWithPassword(app, 'fresh')]
  const browser = await signedIn(app, fresh)
  await nameAlias(browser, old.username)
  return { old, fresh, browser: await signedIn(app, old) }
}

async function nameAlias(browser: Browser, alias: string) {
  const page = await browser.get(path)
  return browser.submit(page.form('/settings/aliases'), { alias })
}

async function move(browser: Browser, acct: string, secret = password) {
  const page = await browser.get(path)
  return browser.submit(page.form(path), { move_acct: acct, move_password: secret })
}

const relation = async (person: Person, other: Person) =>
  (await person.get(`/api/v1/accounts/relationships?id[]=${other.accountId}`)).ok()[0]

describe('the page of aliases', () => {
  test('names and removes them, tells what comes next, and says there what is wrong', async () => {
    const [old, fresh] = [await personWithPassword(app, 'old'), await personWithPassword(app, 'fresh')]
    const browser = await signedIn(app, fresh)
    const page = await browser.get('/settings/aliases')
    expect(page.text).toContain(`@${fresh.username}@${app.ctx.config.localDomain}`)
    const wrong = await browser.submit(page.form('/settings/aliases'), { alias: 'nobody-there' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('What comes next')
    const named = await browser.submit(page.form('/settings/aliases'), { alias: old.username })
    expect(named.location).toBe('/settings/aliases')
    const listed = await browser.get('/settings/aliases')
    expect(listed.text).toContain(`@${old.username}`)
    const remove = listed.forms.find(({ action }) => action.endsWith('/remove'))
    expect((await browser.submit(remove!)).location).toBe('/settings/aliases')
    expect((await browser.get('/settings/aliases')).text).not.toContain(`@${old.username}`)
  })
})

describe('a move', () => {
  test('takes followers along with their options and lists, and shows where the account went', async () => {
    const { old, fresh, browser } = await pair()
    const carol = await app.person('carol')
    const follow = { notify: true, reblogs: false }
    ;(await carol.post(`/api/v1/accounts/${old.accountId}/follow`, follow)).ok()
    const list = (await carol.post('/api/v1/lists', { title: 'mine' })).ok()
    ;(await carol.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [old.accountId] })).ok()
    expect((await move(browser, fresh.username)).status).toBe(303)
    await app.settle()
    expect(await relation(carol, fresh)).toMatchObject({
      following: true,
      notifying: true,
      showing_reblogs: false,
    })
    expect(await relation(carol, old)).toMatchObject({ following: false })
    const members = (await carol.get(`/api/v1/lists/${list.id}/accounts`)).ok()
    expect(members.map((one: { id: string }) => one.id)).toEqual([fresh.accountId])
    const shown = (await carol.get(`/api/v1/accounts/${old.accountId}`)).ok()
    expect(shown.moved.id).toBe(fresh.accountId)
    expect((await old.post('/api/v1/statuses', { status: 'still here?' })).status).toBe(403)
    expect((await browser.get(path)).text).toContain('1 of 1 followers have moved')
  })

  test('copies blocks, mutes and notes', async () => {
    const { old, fresh, browser } = await pair()
    const [carol, dan] = [await app.person('carol'), await app.person('dan')]
    ;(await carol.post(`/api/v1/accounts/${old.accountId}/block`)).ok()
    ;(await dan.post(`/api/v1/accounts/${old.accountId}/mute`, { notifications: false })).ok()
    ;(await dan.post(`/api/v1/accounts/${old.accountId}/note`, { comment: 'loud' })).ok()
    await move(browser, fresh.username)
    await app.settle()
    expect(await relation(carol, fresh)).toMatchObject({ blocking: true })
    expect(await relation(dan, fresh)).toMatchObject({
      muting: true,
      muting_notifications: false,
      note: 'loud',
    })
  })

  test('takes nobody’s choice back: who follows the new account already keeps it', async () => {
    const { old, fresh, browser } = await pair()
    const carol = await app.person('carol')
    await carol.follow(fresh)
    ;(await carol.post(`/api/v1/accounts/${old.accountId}/block`)).ok()
    await move(browser, fresh.username)
    await app.settle()
    expect(await relation(carol, fresh)).toMatchObject({ following: true, blocking: false })
  })

  test('wants the other account’s consent, the password, and thirty days since the last one', async () => {
    const { old, fresh, browser } = await pair()
    const stranger = await app.person('stranger')
    expect((await move(browser, stranger.username)).text).toContain('does not name this one')
    expect((await move(browser, fresh.username, 'wrong')).status).toBe(422)
    expect((await move(browser, 'nobody-at-all')).status).toBe(422)
    expect((await move(browser, old.username)).status).toBe(422)
    expect((await move(browser, fresh.username)).status).toBe(303)
    const page = await browser.get(path)
    expect((await browser.submit(page.form('/settings/migration/redirect/cancel'))).status).toBe(303)
    expect((await move(browser, fresh.username)).text).toContain('within the last 30 days')
    app.clock.advance(31 * day)
    const again = await signedIn(app, old)
    expect((await move(again, fresh.username)).status).toBe(303)
  })

  test('does not go on to an account that has moved itself', async () => {
    const { old, fresh, browser } = await pair()
    const third = await personWithPassword(app, 'third')
    await nameAlias(await signedIn(app, third), fresh.username)
    expect((await move(await signedIn(app, fresh), third.username)).status).toBe(303)
    expect((await move(browser, fresh.username)).status).toBe(422)
    expect((await old.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
  })
})

test('a redirect keeps the followers, and is taken back', async () => {
  const { old, fresh, browser } = await pair()
  const carol = await app.person('carol')
  await carol.follow(old)
  const page = await browser.get(path)
  const sent = { redirect_acct: fresh.username, redirect_password: password }
  expect((await browser.submit(page.form('/settings/migration/redirect'), sent)).status).toBe(303)
  await app.settle()
  expect(await relation(carol, old)).toMatchObject({ following: true })
  expect((await carol.get(`/api/v1/accounts/${old.accountId}`)).ok().moved.id).toBe(fresh.accountId)
  const after = await browser.get(path)
  await browser.submit(after.form('/settings/migration/redirect/cancel'))
  expect((await carol.get(`/api/v1/accounts/${old.accountId}`)).ok().moved).toBeUndefined()
  expect((await old.post('/api/v1/statuses', { status: 'back' })).status).toBe(200)
})

test('aliases are named, shown and removed, and strangers are sent to sign in', async () => {
  const [old, fresh] = [await app.person('old'), await personWithPassword(app, 'fresh')]
  const browser = await signedIn(app, fresh)
  await nameAlias(browser, old.username)
  await nameAlias(browser, old.username)
  const page = await browser.get(path)
  const removals = page.forms.filter((form) => form.action.endsWith('/remove'))
  expect([removals.length, page.text.includes(`@${old.username}`)]).toEqual([1, true])
  expect((await nameAlias(browser, 'nobody-at-all')).status).toBe(422)
  await browser.submit(removals[0]!)
  expect((await browser.get(path)).text).not.toContain(`@${old.username}`)
  const foreign = await signedIn(app, await personWithPassword(app, 'other'))
  const token = (await foreign.get(path)).form('/settings/aliases').fields
  expect((await foreign.post(removals[0]!.action, token)).status).toBe(404)
  expect((await app.fetch(path)).headers.get('location')).toContain('/auth/sign_in')
})
