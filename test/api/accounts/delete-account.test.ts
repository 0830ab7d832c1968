// The page on which people delete their own account.
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { newBrowser, password, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
const path = '/settings/delete'

describe(path, () => {
  test('deletes the account of whoever knows the password, and signs them out everywhere', async () => {
    const alice = await personWithPassword(app, 'alice')
    const bob = await app.person('bob')
    const status = await alice.say('goodbye')
    const [browser, other] = [await signedIn(app, alice), await signedIn(app, alice)]
    const page = await browser.get(path)
    expect(page.text).toContain(`@${alice.username}`)
    const refused = await browser.submit(page.form(path), { current_password: 'wrong' })
    expect(refused.status).toBe(422)
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
    const done = await browser.submit(refused.form(path), { current_password: password })
    expect(done.status).toBe(200)
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(401)
    expect((await bob.get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
    expect((await bob.get(`/api/v1/accounts/${alice.accountId}`)).status).toBe(404)
    for (const one of [browser, other]) expect((await one.get(path)).status).toBe(302)
    await app.settle()
    const free = await app.person('x', { username: `${alice.username}x` })
    expect(free.username).toBe(`${alice.username}x`)
    await expect(app.person('x', { username: alice.username.toUpperCase() })).rejects.toThrow()
  })

  test('sends strangers to sign in, and takes no form of another site', async () => {
    expect((await newBrowser(app).get(path)).status).toBe(302)
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    await browser.get(path)
    const form = (await browser.get(path)).form(path)
    const forged = {
      ...form,
      fields: Object.fromEntries(Object.keys(form.fields ?? {}).map((name) => [name, 'x'])),
    }
    const answer = await browser.submit(forged, { current_password: password })
    expect([400, 403, 422]).toContain(answer.status)
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
  })
})
