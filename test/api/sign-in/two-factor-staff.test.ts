// Roles that demand a second factor, and staff who take one away from who lost it.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { removeFactorsByStaff } from '#domain/identity/two-factor/turn-off.ts'
import { pages } from '#http/web/pages.ts'
import { createAuthenticator } from '#test/client/authenticator.ts'
import { useApp } from '#test/app/app.ts'
import { mailsTo } from '#test/app/mails.ts'
import { authorizePath, obtainToken, registerClient } from '#test/client/oauth.ts'
import type { Person } from '#test/people/people.ts'
import { addPasskey, factorsPath, turnOnApp, unlock } from '#test/people/two-factor.ts'
import { fillSignIn, newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
let made = 0

beforeEach(() => void (app.mails.length = 0))

/** Gives somebody a role of its own. */
async function giveRole(
  person: Person,
  permissions: bigint,
  options: { position: number; demands: boolean },
) {
  const id = String(5000 + ++made)
  await sql`insert into roles (id, name, permissions, position, require_2fa)
    values (${id}, ${`role ${id}`}, ${permissions}, ${options.position}, ${options.demands})`.execute(
    app.ctx.db,
  )
  await sql`update users set role_id = ${id} where id = ${person.userId}`.execute(app.ctx.db)
}

const manageUsers = 0x400n
const manageUserAccess = 0x40000n
const guarded = { position: 5, demands: true }

describe('a role that demands a second factor', () => {
  test('shuts API and powers until there is one, and keeps the tokens', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    const said = await alice.say('before')
    await giveRole(alice, manageUsers, guarded)
    for (const path of [
      '/api/v1/timelines/home',
      '/api/v1/admin/accounts',
      '/api/v1/accounts/verify_credentials',
    ]) {
      const seen = await alice.get(path)
      expect([path, seen.status, seen.body.error]).toEqual([path, 403, 'Your login is currently disabled'])
    }
    expect((await alice.get(`/api/v1/statuses/${said.id}`)).status).toBe(200)
    expect((await alice.post('/api/v1/statuses', { status: 'meanwhile' })).status).toBe(403)

    const done = await turnOnApp(app, browser)
    expect(done.recoveryCodes).toHaveLength(10)
    expect((await alice.get('/api/v1/timelines/home')).status).toBe(200)
    expect((await alice.get('/api/v1/admin/accounts')).status).toBe(200)
  })

  test('a passkey is one, too', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    await giveRole(alice, manageUsers, guarded)
    await addPasskey(browser, createAuthenticator('https://chat.example'))
    expect((await alice.get('/api/v1/timelines/home')).status).toBe(200)
  })

  test('leads to the page that sets one up, and then on to where one wanted to go', async () => {
    const alice = await personWithPassword(app, 'alice')
    await giveRole(alice, manageUsers, guarded)
    const client = await registerClient(app)
    const path = authorizePath(client)
    const browser = newBrowser(app)
    const asked = await browser.get(path)
    const signed = await fillSignIn(browser, alice.email, undefined, asked.location!)
    expect(signed.location).toMatch(/^\/settings\/two-factor\?return_to=%2Foauth%2Fauthorize/)
    for (const address of [
      '/auth/edit',
      '/settings/export',
      '/settings/sessions',
      '/oauth/authorized_applications',
    ]) {
      const seen = await browser.get(address)
      const query = new URLSearchParams({ return_to: address })
      expect([seen.status, seen.location]).toEqual([302, `${factorsPath}?${query}`])
    }
    const led = await browser.get(path)
    expect([led.status, led.location?.startsWith(factorsPath)]).toEqual([302, true])
    const token = (await browser.get(factorsPath)).form('/auth/sign_out').fields
    const posted = await browser.post('/oauth/authorize', { ...token, client_id: client.id })
    expect([posted.status, posted.location]).toEqual([303, factorsPath])

    const page = await browser.get(led.location!)
    expect(page.text).toContain('Your role demands a second factor')
    expect(page.form(`${factorsPath}/unlock`).fields['return_to']).toMatch(/^\/oauth\/authorize\?/)
    await turnOnApp(app, browser)
    expect((await obtainToken(app, browser, client)).access_token).toBeTruthy()
  })

  test('leads there from every page that is for those who are signed in', async () => {
    const alice = await personWithPassword(app, 'alice')
    await giveRole(alice, manageUsers, guarded)
    const browser = await signedIn(app, alice)
    const stranger = newBrowser(app)
    const beforeSignIn = ['/auth/setup', '/auth/second_factor', '/auth/identity']
    const wrong: unknown[] = []
    for (const path of pages.flatMap((page) =>
      page.method === 'GET' ? [page.path.replaceAll(/:\w+/g, '1')] : [],
    )) {
      if (path.includes('{') || beforeSignIn.includes(path)) continue
      const isPersonal = (await stranger.get(path)).location?.startsWith('/auth/sign_in') ?? false
      const isLed = (await browser.get(path)).location?.startsWith(factorsPath) ?? false
      if (isPersonal && isLed === (path === factorsPath)) wrong.push(path)
    }
    expect(wrong).toEqual([])
  })

  test('keeps the last one from being turned off', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    await giveRole(alice, manageUsers, guarded)
    await turnOnApp(app, browser)
    const turnOff = async () => {
      const page = await unlock(browser)
      return (await browser.submit(page.form(`${factorsPath}/app/remove`))).location
    }
    expect(await turnOff()).toBe(`${factorsPath}?notice=needed`)
    expect((await browser.get(`${factorsPath}?notice=needed`)).text).toContain('set up another one first')
    await addPasskey(browser, createAuthenticator('https://chat.example'))
    expect(await turnOff()).toBe(factorsPath)
    const page = await unlock(browser)
    const remove = page.forms.find(({ action }) => /passkeys\/\d+\/remove$/.test(action))!
    expect((await browser.submit(remove)).location).toBe(`${factorsPath}?notice=needed`)
    expect((await alice.get('/api/v1/timelines/home')).status).toBe(200)
  })

  test('holds for everybody when the role of everybody demands it', async () => {
    const alice = await app.person('alice')
    await sql`update roles set require_2fa = true where id = -99`.execute(app.ctx.db)
    try {
      expect((await alice.get('/api/v1/timelines/home')).status).toBe(403)
    } finally {
      await sql`update roles set require_2fa = false where id = -99`.execute(app.ctx.db)
    }
    expect((await alice.get('/api/v1/timelines/home')).status).toBe(200)
  })
})

describe('taking factors away', () => {
  const path = (person: Person) => `/api/v1/admin/accounts/${person.accountId}/disable_2fa`

  async function protectedPerson() {
    const person = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, person)
    await turnOnApp(app, browser)
    await addPasskey(browser, createAuthenticator('https://chat.example'))
    return person
  }
  const actions = async (person: Person) =>
    (
      await sql<{ actor: string; account_id: string | null; action: string; target_label: string }>`
        select actor, account_id, action, target_label from audit_log
        where target_type = 'user' and target_id = ${person.userId}`.execute(app.ctx.db)
    ).rows

  test('by staff who may, over those below them: the password alone signs in then', async () => {
    const alice = await protectedPerson()
    const boss = await app.person('boss')
    await giveRole(boss, manageUserAccess, { position: 50, demands: false })
    const answer = (await boss.post(path(alice))).ok()
    expect(answer).toMatchObject({ id: alice.accountId, username: alice.username })
    expect((await fillSignIn(newBrowser(app), alice.email)).location).toBe('/')
    expect(await actions(alice)).toEqual([
      { actor: 'staff', account_id: boss.accountId, action: 'disable_2fa', target_label: alice.username },
    ])
    const { rows } = await sql`
      select 1 from passkeys where user_id = ${alice.userId}
      union all select 1 from recovery_codes where user_id = ${alice.userId}`.execute(app.ctx.db)
    expect(rows).toEqual([])
    await app.settle()
    const title = `Second factor taken away: @${alice.username} on chat.example`
    const mail = mailsTo(app, alice).find(({ subject }) => subject === title)
    expect(mail?.text).toContain('The staff of chat.example')
    expect(mail?.text).not.toContain(boss.username)
    expect((await boss.post(path(alice))).status).toBe(200)
  })

  test('not by others, nor over equals, nor without the scope', async () => {
    const alice = await protectedPerson()
    const [boss, peer, helper] = [
      await app.person('boss'),
      await app.person('peer'),
      await app.person('helper'),
    ]
    await giveRole(boss, manageUserAccess, { position: 50, demands: false })
    await giveRole(peer, 0n, { position: 50, demands: false })
    await giveRole(helper, manageUsers, { position: 60, demands: false })
    const reader = await app.withScopes(boss, ['admin:read', 'write'])
    expect((await reader.post(path(alice))).status).toBe(403)
    expect((await helper.post(path(alice))).status).toBe(403)
    expect((await alice.post(path(alice))).status).toBe(403)
    expect((await boss.post(path(peer))).status).toBe(403)
    expect((await boss.post(path(boss))).status).toBe(403)
    expect((await app.anonymous.post(path(alice))).status).toBe(401)
    expect((await boss.post('/api/v1/admin/accounts/1/disable_2fa')).status).toBe(404)
    expect((await fillSignIn(newBrowser(app), alice.email)).location).toBe('/auth/second_factor')
    expect(await actions(alice)).toEqual([])
  })

  test('by whoever has the command line', async () => {
    const alice = await protectedPerson()
    await removeFactorsByStaff(app.ctx, 'operator', alice.accountId)
    expect(await actions(alice)).toMatchObject([{ actor: 'operator', account_id: null }])
    expect((await fillSignIn(newBrowser(app), alice.email)).location).toBe('/')
  })
})
