// Invites: making them, and what whoever comes by one may do.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createInvite, type Invite, type NewInvite } from '#domain/identity/sign-up-restrictions/invites.ts'
import { createUsernameBlock } from '#domain/identity/sign-up-restrictions/username-blocks.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { startApp, useApp } from '#test/app/app.ts'
import { hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { mailedPath, makeSignUpApp, registration, signUp, type SignUpApp } from '#test/people/registration.ts'

const app = useApp()
const admin = '/api/v1/admin/invites'
let through: SignUpApp
let alice: Person

beforeEach(async () => {
  through = await makeSignUpApp(app)
  alice = await personWithPassword(app, 'alice')
  await setSetting(app.ctx, 'registrations_mode', 'open')
})

const inviteOf = (person: Person, wanted: NewInvite = {}) => createInvite(app.ctx, person, wanted)
const come = (invite: { code: string }, changes: object = {}) =>
  through.post('/api/v1/accounts', registration({ invite_code: invite.code, ...changes }))

async function stateOf(username: string) {
  const { rows } = await sql<{ approved: boolean; invite_id: string | null }>`
    select u.approved, u.invite_id from users u join accounts a on a.id = u.account_id
    where a.username = ${username}`.execute(app.ctx.db)
  return rows[0]!
}

async function usesOf({ id }: Pick<Invite, 'id'>): Promise<number> {
  const { rows } = await sql<{ uses: number }>`select uses from invites where id = ${id}`.execute(app.ctx.db)
  return rows[0]!.uses
}

describe('an invite', () => {
  test('opens closed registrations, and staff still have the say', async () => {
    await setSetting(app.ctx, 'registrations_mode', 'none')
    const invite = await inviteOf(alice)
    expect((await through.post('/api/v1/accounts', registration())).status).toBe(403)
    expect((await come({ code: 'nonsense' })).status).toBe(403)
    const { username } = await signUp(app, through, { invite_code: invite.code })
    expect(await stateOf(username)).toEqual({ approved: false, invite_id: invite.id })
    expect(await usesOf(invite)).toBe(1)
  })

  test('of somebody who may let people in does so', async () => {
    for (const mode of ['approved', 'none'] as const) {
      await setSetting(app.ctx, 'registrations_mode', mode)
      const owner = await app.person('owner', { role: 'Owner' })
      const { username } = await signUp(app, through, { invite_code: (await inviteOf(owner)).code })
      expect(await stateOf(username)).toMatchObject({ approved: true })
      const plain = await signUp(app, through, { invite_code: (await inviteOf(alice)).code })
      expect(await stateOf(plain.username)).toMatchObject({ approved: false })
    }
  })

  test('does not open what staff closed to somebody, nor a server of one person', async () => {
    const owner = await app.person('owner', { role: 'Owner' })
    await createUsernameBlock(app.ctx, 'operator', { username: 'careful_one', allowWithApproval: true })
    const { username } = await signUp(app, through, {
      username: 'careful_one',
      invite_code: (await inviteOf(owner)).code,
    })
    expect(await stateOf(username)).toMatchObject({ approved: false })
    const single = await startApp({ env: { SINGLE_USER_MODE: 'true' } })
    try {
      const only = await single.person('only', { role: 'Owner' })
      const { code } = await createInvite(single.ctx, only, {})
      const answer = await (
        await makeSignUpApp(single)
      ).post('/api/v1/accounts', registration({ invite_code: code }))
      expect(answer.status).toBe(403)
    } finally {
      await single.close()
    }
  })

  test('needs no reason, where others must give one', async () => {
    await setSetting(app.ctx, 'registrations_mode', 'approved')
    await setSetting(app.ctx, 'require_invite_text', true)
    expect((await through.post('/api/v1/accounts', registration())).status).toBe(422)
    expect((await come(await inviteOf(alice))).status).toBe(200)
    await setSetting(app.ctx, 'require_invite_text', false)
  })

  test('ends when it is used up, over or revoked, and with its maker’s login [AUTH-20]', async () => {
    await setSetting(app.ctx, 'registrations_mode', 'none')
    const once = await inviteOf(alice, { maxUses: 1 })
    expect((await come(once)).status).toBe(200)
    expect((await come(once)).status).toBe(403)
    const short = await inviteOf(alice, { expiresIn: 3600 })
    app.clock.advance(hours(1))
    expect((await come(short)).status).toBe(403)
    app.clock.advance(-hours(1))
    const ends = [
      (id: string) => sql`update users set disabled = true where account_id = ${id}`,
      (id: string) => sql`update accounts set suspended_at = now() where id = ${id}`,
    ]
    for (const end of ends) {
      const maker = await app.person('maker')
      const invite = await inviteOf(maker)
      await end(maker.accountId).execute(app.ctx.db)
      expect((await come(invite)).status).toBe(403)
      expect(await usesOf(invite)).toBe(0)
    }
  })

  test('is used as often as it may be, and not once more, however many come at once [AUTH-20]', async () => {
    await setSetting(app.ctx, 'registrations_mode', 'none')
    const invite = await inviteOf(alice, { maxUses: 3 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => come(invite)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(7)
    expect(await usesOf(invite)).toBe(3)
    const { rows } = await sql`select id from users where invite_id = ${invite.id}`.execute(app.ctx.db)
    expect(rows).toHaveLength(3)
  })

  test('is not used up by what goes wrong', async () => {
    const invite = await inviteOf(alice, { maxUses: 1 })
    expect((await come(invite, { username: 'not a name' })).status).toBe(422)
    expect((await come(invite, { username: alice.username })).status).toBe(422)
    expect(await usesOf(invite)).toBe(0)
  })

  test('lets whoever comes by it follow its maker, once they are in', async () => {
    const invite = await inviteOf(alice, { autofollow: true })
    const friend = await signUp(app, through, { invite_code: invite.code })
    const quiet = await signUp(app, through, { invite_code: (await inviteOf(alice)).code })
    const followers = async () =>
      (await alice.get(`/api/v1/accounts/${alice.accountId}/followers`))
        .ok()
        .map((account: { username: string }) => account.username)
    expect(await followers()).toEqual([])
    for (const { email } of [friend, quiet]) await app.fetch(await mailedPath(app, email))
    await app.settle()
    expect(await followers()).toEqual([friend.username])
  })
})

describe('/invite/:code', () => {
  const asJson = { headers: { accept: 'application/json' } }

  test('answers programs that ask', async () => {
    const invite = await inviteOf(alice, { maxUses: 1 })
    const answer = await app.fetch(`/invite/${invite.code}`, asJson)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { invite_code: invite.code, instance_api_url: `${app.baseUrl}/api/v2/instance` },
    ])
    expect((await app.fetch('/invite/nonsense', asJson)).status).toBe(404)
    await come(invite)
    const over = await app.fetch(`/invite/${invite.code}`, asJson)
    expect([over.status, await over.json()]).toEqual([401, { error: expect.any(String) }])
  })

  test('is a page where one signs up, also where it is closed to others', async () => {
    await setSetting(app.ctx, 'registrations_mode', 'none')
    const invite = await inviteOf(alice)
    const browser = newBrowser(app)
    const page = await browser.get(`/invite/${invite.code}`)
    expect([page.status, page.text.includes('You have been invited.')]).toEqual([200, true])
    expect(page.form('/auth/sign_up').fields['invite_code']).toBe(invite.code)
    const { username, email } = registration()
    const fields = { username, email, password: 'correct horse battery', agreement: '1' }
    const wrong = await browser.submit(page.form('/auth/sign_up'), { ...fields, password: 'x' })
    expect(wrong.status).toBe(422)
    const done = await browser.submit(wrong.form('/auth/sign_up'), fields)
    expect([done.status, done.location]).toEqual([303, '/auth/setup'])
    expect(await stateOf(username)).toMatchObject({ invite_id: invite.id })
  })

  test('says what is wrong with one that is unknown or over, in the reader’s language', async () => {
    const over = await inviteOf(alice, { expiresIn: 60 })
    app.clock.advance(hours(1))
    const gone = await newBrowser(app).get(`/invite/${over.code}`, { 'accept-language': 'de' })
    expect([gone.status, gone.text.includes('lässt sich nicht verwenden')]).toEqual([410, true])
    expect((await newBrowser(app).get('/invite/nonsense')).status).toBe(404)
    app.clock.advance(-hours(1))
  })
})

describe('/invites', () => {
  test('shows one’s own, makes new ones and ends them', async () => {
    const bob = await app.person('bob')
    const foreign = await inviteOf(bob)
    const browser = await signedIn(app, alice)
    const empty = await browser.get('/invites')
    expect(empty.text).toContain('You have made none yet.')
    const chosen = { max_uses: '5', expires_in: '86400', autofollow: '1', comment: 'For <b>friends</b>' }
    expect((await browser.submit(empty.form('/invites'), chosen)).location).toBe('/invites')
    const page = await browser.get('/invites')
    const code = /\/invite\/(\w+)/.exec(page.text)?.[1] as string
    expect(page.text).toContain('used 0 of 5 times')
    expect(page.text).toContain('For &lt;b&gt;friends&lt;/b&gt;')
    expect(page.text).not.toContain(foreign.code)
    const { rows } = await sql<{ id: string; max_uses: number; autofollow: boolean }>`
      select id, max_uses, autofollow from invites where code = ${code}`.execute(app.ctx.db)
    expect(rows[0]).toMatchObject({ max_uses: 5, autofollow: true })
    const id = rows[0]!.id
    await browser.submit(page.form(`/invites/${id}`))
    expect((await browser.get('/invites')).text).toContain('cannot be used any more')
    expect((await app.fetch(`/invite/${code}`)).status).toBe(410)
    const { authenticity_token = '' } = page.form('/invites').fields
    expect((await browser.post(`/invites/${foreign.id}`, { authenticity_token })).status).toBe(404)
    expect((await browser.post('/invites', {})).status).toBe(422)
    const odd = await browser.post('/invites', { authenticity_token, max_uses: 'many' })
    expect([odd.status, odd.text.includes('Max uses is invalid')]).toEqual([422, true])
  })

  test('is for those who are signed in and may invite', async () => {
    expect((await newBrowser(app).get('/invites')).location).toContain('/auth/sign_in')
    await sql`update roles set permissions = permissions & ~65536 where id = -99`.execute(app.ctx.db)
    const browser = await signedIn(app, alice)
    expect((await browser.get('/invites')).status).toBe(403)
    await sql`update roles set permissions = permissions | 65536 where id = -99`.execute(app.ctx.db)
    expect((await browser.get('/invites')).status).toBe(200)
  })

  test('has a limit', async () => {
    for (let count = 0; count < 100; count++) await inviteOf(alice)
    await expect(inviteOf(alice)).rejects.toThrow('100 invites')
  })
})

describe('staff', () => {
  test('see, make and end invites, and it is written down', async () => {
    const owner = await app.person('owner', { role: 'Owner' })
    const made = (
      await owner.post(admin, { max_uses: 2, expires_in: 3600, autofollow: true, comment: 'why' })
    ).ok()
    expect(made).toEqual({
      id: expect.any(String),
      account_id: owner.accountId,
      username: owner.username,
      code: expect.stringMatching(/^\w{12}$/),
      url: `${app.baseUrl}/invite/${made.code}`,
      max_uses: 2,
      uses: 0,
      expires_at: expect.any(String),
      autofollow: true,
      comment: 'why',
      usable: true,
      created_at: expect.any(String),
    })
    const theirs = await inviteOf(alice)
    const listed = async (query: Record<string, unknown>) =>
      (await owner.get(admin, query)).ok().map(({ id }: { id: string }) => id)
    expect((await listed({})).slice(0, 2)).toEqual([theirs.id, made.id])
    expect(await listed({ account_id: alice.accountId })).toEqual([theirs.id])
    expect((await owner.delete(`${admin}/${theirs.id}`)).ok()).toEqual({})
    expect((await owner.get(`${admin}/${theirs.id}`)).ok()).toMatchObject({ usable: false })
    expect(await listed({ account_id: alice.accountId, usable: true })).toEqual([])
    expect(await listed({ account_id: alice.accountId, usable: false })).toEqual([theirs.id])
    expect((await owner.post(`${admin}/deactivate_all`)).ok()).toEqual({})
    expect(await listed({ usable: true })).toEqual([])
    expect((await owner.delete(`${admin}/1`)).status).toBe(404)
    for (const wrong of [{ max_uses: 1_000_000_000 }, { expires_in: 10 ** 12 }, { comment: 'x'.repeat(421) }])
      expect([wrong, (await owner.post(admin, wrong)).status]).toEqual([wrong, 422])
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where target_type = 'invite' and account_id = ${owner.accountId}
      order by id`.execute(app.ctx.db)
    expect(rows.map(({ action }) => action)).toEqual(['create', 'destroy', 'deactivate_all'])
  })

  test('need the permission and the scope', async () => {
    const owner = await app.person('owner', { role: 'Owner' })
    const moderator = await app.person('moderator', { role: 'Moderator' })
    expect((await app.anonymous.get(admin)).status).toBe(401)
    for (const person of [alice, moderator]) {
      expect((await person.get(admin)).status).toBe(403)
      expect((await person.post(admin)).status).toBe(403)
      expect((await person.post(`${admin}/deactivate_all`)).status).toBe(403)
    }
    ;(await owner.get(admin)).ok()
    const reader = await app.withScopes(owner, ['admin:read'])
    expect((await reader.get(admin)).status).toBe(200)
    expect((await reader.post(admin)).status).toBe(403)
    const queries = async (limit: number) =>
      (await app.countQueries(() => owner.get(admin, { limit }))).length
    expect(await queries(1)).toBe(await queries(5))
  })
})
