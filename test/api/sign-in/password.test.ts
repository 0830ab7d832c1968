import { describe, expect, test } from 'vitest'
import { changeEmailByOperator } from '#domain/identity/accounts/registration/change-email.ts'
import { createUserByOperator } from '#domain/identity/accounts/registration/create-by-operator.ts'
import { resetPasswordByOperator } from '#domain/identity/accounts/registration/reset-password.ts'
import { startApp, useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { hours } from '#test/app/clock.ts'
import { mailedPath } from '#test/people/registration.ts'
import { fillSignIn, newBrowser, password, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
const next = 'a wholly different one'

async function askForLink(email: string) {
  const browser = newBrowser(app)
  return browser.submit((await browser.get('/auth/password/new')).form('/auth/password'), { email })
}

async function revokedTokens(person: Person): Promise<number> {
  const rows = await app.ctx.db
    .selectFrom('oauth_tokens')
    .selectAll()
    .where('user_id', '=', person.userId)
    .execute()
  return rows.filter((row) => row.revoked_at !== null).length
}

describe('a forgotten password', () => {
  test('is replaced by a mailed link; everybody who was in is out, and the owner is told [AUTH-12]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const remote = await signedIn(app, alice)
    expect((await askForLink(alice.email.toUpperCase())).status).toBe(200)
    const path = await mailedPath(app, alice.email)
    const browser = newBrowser(app)
    const form = (await browser.get(path)).form('/auth/password')
    const short = await browser.submit(form, { password: 'short' })
    expect(short.status).toBe(422)
    expect((await browser.submit(form, { password: next })).status).toBe(200)
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(401)
    expect((await remote.get('/auth/edit')).location).toContain('/auth/sign_in')
    expect(await revokedTokens(alice)).toBeGreaterThan(0)
    await app.settle()
    const told = app.mails.findLast((mail) => mail.to === alice.email)
    expect(told?.subject).toMatch(/^Your password for .* has been changed$/)
    expect((await fillSignIn(newBrowser(app), alice.email, password)).status).toBe(422)
    expect((await fillSignIn(newBrowser(app), alice.email, next)).status).toBe(303)
  })

  test('the link works once, for six hours, and only the newest [AUTH-9]', async () => {
    const bob = await personWithPassword(app, 'bob')
    await askForLink(bob.email)
    const first = await mailedPath(app, bob.email)
    await askForLink(bob.email)
    const second = await mailedPath(app, bob.email)
    const browser = newBrowser(app)
    expect((await browser.get(first)).status).toBe(422)
    const form = (await browser.get(second)).form('/auth/password')
    const both = await Promise.all([
      browser.submit(form, { password: next }),
      browser.submit(form, { password: next }),
    ])
    expect(both.map((seen) => seen.status).toSorted()).toEqual([200, 422])
    await askForLink(bob.email)
    const third = await mailedPath(app, bob.email)
    app.clock.advance(hours(6) + 1)
    expect((await browser.get(third)).status).toBe(422)
    expect((await browser.get('/auth/password/edit?reset_password_token=1.forged')).status).toBe(422)
  })

  test('a link for one purpose opens no other', async () => {
    const carol = await personWithPassword(app, 'carol')
    await askForLink(carol.email)
    const token = (await mailedPath(app, carol.email)).split('token=')[1]!
    expect((await newBrowser(app).get(`/auth/confirmation?confirmation_token=${token}`)).status).toBe(422)
  })

  test('answers and work are the same for known and unknown addresses [AUTH-15]', async () => {
    const dora = await personWithPassword(app, 'dora')
    const browser = newBrowser(app)
    const form = (await browser.get('/auth/password/new')).form('/auth/password')
    const seen: unknown[] = []
    const work: number[] = []
    for (const email of [dora.email, 'nobody@mail.example']) {
      const queries = await app.countQueries(async () => {
        const { status, text } = await browser.submit(form, { email })
        seen.push([status, text])
      })
      work.push(queries.length)
      await app.settle()
    }
    expect(seen[0]).toEqual(seen[1])
    expect(work[0]).toBe(work[1])
    expect(app.mails.filter((mail) => mail.to === 'nobody@mail.example')).toEqual([])
  })

  test('mails are limited per address [AUTH-16]', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on' } })
    try {
      const browser = newBrowser(limited)
      const form = (await browser.get('/auth/password/new')).form('/auth/password')
      const statuses: number[] = []
      for (let i = 0; i < 6; i++) {
        const headers = { 'x-forwarded-for': `192.0.2.${i + 1}` }
        statuses.push((await browser.submit(form, { email: `e.ve+${i}@mail.example` }, headers)).status)
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      const one = { 'x-forwarded-for': '198.51.100.7' }
      for (let i = 0; i < 25; i++) await browser.submit(form, { email: `x${i}@mail.example` }, one)
      expect((await browser.submit(form, { email: 'last@mail.example' }, one)).status).toBe(429)
    } finally {
      await limited.close()
    }
  })
})

describe('/auth/edit', () => {
  test('changes the password and keeps only this browser [AUTH-12]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const [here, there] = [await signedIn(app, alice), await signedIn(app, alice)]
    const form = (await here.get('/auth/edit')).form('/auth/edit/password')
    const wrong = await here.submit(form, { current_password: 'guess', password: next })
    expect(wrong.status).toBe(422)
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
    expect((await here.submit(form, { current_password: password, password: next })).status).toBe(200)
    expect((await here.get('/auth/edit')).status).toBe(200)
    expect((await there.get('/auth/edit')).status).toBe(303)
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(401)
  })

  test('a new address counts once it is confirmed, and the old one is told [AUTH-17]', async () => {
    const bob = await personWithPassword(app, 'bob')
    const browser = await signedIn(app, bob)
    const form = (await browser.get('/auth/edit')).form('/auth/edit/email')
    const email = `new-${bob.email}`
    const wanted = { email, confirmed: '1', 'user[email]': email }
    expect((await browser.submit(form, { ...wanted, email_current_password: 'guess' })).status).toBe(422)
    expect((await browser.submit(form, { ...wanted, email_current_password: password })).status).toBe(200)
    const path = await mailedPath(app, email)
    const toOld = () => app.mails.filter((mail) => mail.to === bob.email).map((mail) => mail.subject)
    expect(toOld()).toEqual([expect.stringMatching(/^Another e-mail address was asked for/)])
    expect((await fillSignIn(newBrowser(app), email)).status).toBe(422)
    expect((await browser.get(path)).status).toBe(200)
    await app.settle()
    expect(toOld()).toHaveLength(2)
    expect((await fillSignIn(newBrowser(app), email)).status).toBe(303)
    expect((await fillSignIn(newBrowser(app), bob.email)).status).toBe(422)
  })

  test('an address that somebody else confirms meanwhile stays theirs', async () => {
    const [carol, dora] = [await personWithPassword(app, 'carol'), await personWithPassword(app, 'dora')]
    const email = `wanted-${carol.email}`
    const paths: string[] = []
    for (const person of [carol, dora]) {
      const browser = await signedIn(app, person)
      const form = (await browser.get('/auth/edit')).form('/auth/edit/email')
      await browser.submit(form, { email, email_current_password: password })
      paths.push(await mailedPath(app, email))
    }
    expect((await newBrowser(app).get(paths[1]!)).status).toBe(200)
    expect((await newBrowser(app).get(paths[0]!)).status).toBe(422)
    expect((await fillSignIn(newBrowser(app), email)).status).toBe(303)
  })

  test('is for those who are signed in', async () => {
    expect((await newBrowser(app).get('/auth/edit')).location).toBe('/auth/sign_in?return_to=%2Fauth%2Fedit')
    const wellKnown = await newBrowser(app).get('/.well-known/change-password')
    expect([wellKnown.status, wellKnown.location]).toEqual([302, `${app.ctx.config.baseUrl}/auth/edit`])
  })

  test('guesses at the current password are limited [AUTH-16]', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on' } })
    try {
      const eve = await personWithPassword(limited, 'eve')
      const browser = await signedIn(limited, eve)
      const form = (await browser.get('/auth/edit')).form('/auth/edit/password')
      const guess = async () =>
        (await browser.submit(form, { current_password: 'guess', password: next })).status
      for (let i = 0; i < 10; i++) expect(await guess()).toBe(422)
      expect(await guess()).toBe(429)
    } finally {
      await limited.close()
    }
  })
})

describe('the operator', () => {
  test('makes users, also under reserved names, with a role', async () => {
    const made = await createUserByOperator(app.ctx, {
      username: 'admin',
      email: 'admin@mail.example',
      confirmed: true,
      role: 'owner',
    })
    const user = await app.ctx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', made.userId)
      .executeTakeFirstOrThrow()
    expect(user).toMatchObject({ approved: true, role_id: '3', confirmed_at: expect.any(Date) })
    expect((await fillSignIn(newBrowser(app), 'admin@mail.example', made.password)).status).toBe(303)
    const again = createUserByOperator(app.ctx, { username: 'ADMIN', email: 'other@mail.example' })
    await expect(again).rejects.toThrow('Username has already been taken')
    const noRole = createUserByOperator(app.ctx, { username: 'x1', email: 'x1@mail.example', role: 'King' })
    await expect(noRole).rejects.toThrow('Owner, Admin, Moderator')
  })

  test('sets passwords, which ends all access, and addresses [AUTH-12]', async () => {
    const frank = await personWithPassword(app, 'frank')
    const fresh = await resetPasswordByOperator(app.ctx, frank.username)
    expect((await frank.get('/api/v1/accounts/verify_credentials')).status).toBe(401)
    expect((await fillSignIn(newBrowser(app), frank.email, fresh)).status).toBe(303)
    await changeEmailByOperator(app.ctx, frank.username, `at-${frank.email}`)
    expect((await fillSignIn(newBrowser(app), `at-${frank.email}`, fresh)).status).toBe(303)
    await expect(resetPasswordByOperator(app.ctx, 'nobody_here')).rejects.toThrow('nobody_here')
  })
})
