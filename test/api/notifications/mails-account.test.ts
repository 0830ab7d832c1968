// Mails about one's account: what happened to it, and what staff decide.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { changeEmailByOperator } from '#domain/identity/accounts/registration/change-email.ts'
import { forgetAddresses } from '#domain/identity/oauth/addresses.ts'
import type { MailRequest } from '#ports/events.ts'
import { useApp } from '#test/app/app.ts'
import { days } from '#test/app/clock.ts'
import { mailsTo, setLocale, setMails } from '#test/app/mails.ts'
import type { Person } from '#test/people/people.ts'
import { mailedPath, makeSignUpApp, signUp } from '#test/people/registration.ts'
import { newBrowser, password, personWithPassword } from '#test/people/sign-in.ts'
import { asId, type AccountWarningId, type BackupId } from '#lib/id.ts'

const app = useApp({ env: { OAUTH_PASSWORD_GRANT: 'true' } })
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

beforeEach(() => void (app.mails.length = 0))

const request = (mail: MailRequest) => app.ctx.transaction((tx) => tx.emit({ type: 'mail.requested', mail }))

describe('signing in', () => {
  async function signIn(person: Person, address: string, agent = firefox): Promise<void> {
    const browser = newBrowser(app)
    const form = (await browser.get('/auth/sign_in')).form('/auth/sign_in')
    const given = { 'user[email]': person.email, 'user[password]': password }
    const headers = { 'x-forwarded-for': address, 'user-agent': agent }
    expect((await browser.submit(form, given, headers)).status).toBe(303)
    await app.settle()
  }

  test('from a new place is told with time, address and browser, but for the first of all', async () => {
    const alice = await personWithPassword(app, 'alice')
    await signIn(alice, '192.0.2.1')
    await signIn(alice, '192.0.77.8')
    expect(mailsTo(app, alice)).toEqual([])
    await app.ctx.db
      .updateTable('users')
      .set({ time_zone: 'Europe/Berlin' })
      .where('id', '=', alice.userId)
      .execute()
    await signIn(alice, '198.51.100.7')
    const [mail, ...more] = mailsTo(app, alice)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('New sign-in to your account on chat.example')
    expect(mail?.text).toContain('Address: \u2068198.51.100.7\u2069\nBrowser: Firefox on Linux')
    expect(mail?.text).toMatch(/Time: \d+ \w+ \d{4} at \d\d:\d\d:\d\d CES?T/)
    expect(mail?.html).toContain('198.51.100.7')
    await signIn(alice, '198.51.100.7')
    await signIn(alice, '2001:db8:1::1')
    await signIn(alice, '2001:db8:ffff::2')
    expect(mailsTo(app, alice)).toHaveLength(2)
  })

  test('by an app with the password counts too; what a browser claims to be does not come out', async () => {
    const alice = await personWithPassword(app, 'alice')
    await setLocale(app, alice, 'de')
    await signIn(alice, '192.0.2.1')
    const client = (await makeSignUpApp(app)).application
    const answer = await app.fetch('/oauth/token', {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.5', 'user-agent': '<b>click https://evil.example</b>' },
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: client.client_id,
        client_secret: client.client_secret,
        username: alice.email,
        password,
      }),
    })
    expect(answer.status).toBe(200)
    await app.settle()
    const [mail] = mailsTo(app, alice)
    expect(mail?.subject).toBe('Neue Anmeldung bei deinem Konto auf chat.example')
    expect(mail?.text).toContain('Browser: unbekannt')
    expect(mail!.text + mail!.html).not.toContain('evil')
  })

  test('is forgotten after a year', async () => {
    const alice = await personWithPassword(app, 'alice')
    await signIn(alice, '192.0.2.1')
    const count = async () =>
      (await sql`select 1 from sign_ins where user_id = ${alice.userId}`.execute(app.ctx.db)).rows.length
    await signIn(alice, '192.0.2.1')
    expect(await count()).toBe(1)
    app.clock.advance(days(366))
    await forgetAddresses(app.ctx)
    expect(await count()).toBe(0)
  })
})

describe('an account', () => {
  test('that is confirmed is welcomed, and not before [6-6]', async () => {
    const made = await signUp(app, await makeSignUpApp(app))
    const path = await mailedPath(app, made.email)
    expect(mailsTo(app, made)).toHaveLength(1)
    await newBrowser(app).get(path)
    await app.settle()
    const mail = mailsTo(app, made)[1]
    expect(mail?.subject).toBe('Welcome to chat.example')
    expect(mail?.text).toContain(`@${made.username}@chat.example`)
  })

  test('whose address changes is told at both addresses [AUTH-17]', async () => {
    const alice = await app.person('alice')
    await changeEmailByOperator(app.ctx, alice.username, 'new@mail.example')
    await app.settle()
    expect(app.mails.map((mail) => mail.to).toSorted()).toEqual([alice.email, 'new@mail.example'])
    for (const mail of app.mails) expect(mail.text).toContain('\u2068new@mail.example\u2069')
  })

  test.each([
    ['en', 'Account suspended', 'What they say:', 'Your objection was accepted'],
    ['de', 'Konto stillgelegt', 'Dazu heißt es:', 'Deinem Widerspruch auf chat.example wurde stattgegeben'],
  ])('that is suspended is told so, in %s', async (locale, subject, words, answered) => {
    const alice = await app.person('alice')
    await setLocale(app, alice, locale)
    const warningId = app.ctx.newId<AccountWarningId>()
    await sql`insert into account_warnings (id, target_account_id, action, text, status_ids)
      values (${warningId}, ${alice.accountId}, 'suspend', ${'No <b>spam</b>\nhere'}, '{1,2}')`.execute(
      app.ctx.db,
    )
    await sql`update accounts set suspended_at = now() where id = ${alice.accountId}`.execute(app.ctx.db)
    await request({ kind: 'warning', userId: alice.userId, to: alice.email, warningId })
    await request({
      kind: 'appeal-answered',
      userId: alice.userId,
      to: alice.email,
      warningId,
      approved: true,
    })
    await request({
      kind: 'archive-ready',
      userId: alice.userId,
      to: alice.email,
      backupId: asId<BackupId>('1'),
    })
    await request({ kind: 'welcome', userId: alice.userId, to: alice.email })
    await app.settle()
    const mails = mailsTo(app, alice)
    expect(mails).toHaveLength(2)
    expect(mails.some((mail) => mail.subject.includes(answered))).toBe(true)
    const told = mails.find((mail) => mail.subject.includes(subject))
    expect(told?.text).toContain(`${words}\n\n> No <b>spam</b>\n> here`)
    expect(told?.html).toContain('No &lt;b&gt;spam&lt;/b&gt;')
    expect(told?.headers).not.toHaveProperty('List-Unsubscribe')
  })
})

describe('staff', () => {
  test('hear of reports and objections unless they switched that off [6-7]', async () => {
    const [admin, quiet] = [
      await app.person('admin', { role: 'Admin' }),
      await app.person('quiet', { role: 'Admin' }),
    ]
    await setMails(app, quiet, { report: false, appeal: false })
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await alice.post('/api/v1/reports', { account_id: bob.accountId, comment: 'look' })
    const warningId = app.ctx.newId<AccountWarningId>()
    await sql`insert into account_warnings (id, target_account_id, action) values
      (${warningId}, ${bob.accountId}, 'silence')`.execute(app.ctx.db)
    for (const { userId, email } of [admin, quiet]) {
      await request({ kind: 'appeal', userId: userId, to: email, warningId })
    }
    await app.settle()
    const mails = mailsTo(app, admin)
    expect(mails.map((mail) => mail.headers?.['List-ID']).toSorted()).toEqual([
      `<appeal.${admin.username}.chat.example>`,
      `<report.${admin.username}.chat.example>`,
    ])
    expect(mails.some((mail) => mail.text.includes('account limited'))).toBe(true)
    expect(mailsTo(app, quiet)).toEqual([])
  })
})
