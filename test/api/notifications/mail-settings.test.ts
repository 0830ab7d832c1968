// Choosing which mails one gets, and stopping them from the mail itself (RFC 8058).
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { unsubscribeToken, type MailKind } from '#domain/identity/accounts/mail-settings.ts'
import { useApp } from '#test/app/app.ts'
import { mailsTo, settleMails } from '#test/app/mails.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
const path = '/settings/notifications'
let alice: Person

beforeEach(async () => {
  alice = await personWithPassword(app, 'alice')
  app.mails.length = 0
})

async function settingsOf(person: Person): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ settings: Record<string, unknown> }>`
    select settings from users where id = ${person.userId}`.execute(app.ctx.db)
  return rows[0]!.settings
}

const ticked = (text: string) =>
  [...text.matchAll(/<input[^>]*name="([^"]+)"[^>]*checked/g)].map(([, name]) => name)
const link = (kind: MailKind, person = alice) =>
  `/unsubscribe?${new URLSearchParams({ token: unsubscribeToken(app.ctx, kind, person.userId), type: kind })}`

describe(path, () => {
  test('shows and keeps what is chosen; other settings stay', async () => {
    await alice.patch('/api/v1/accounts/update_credentials', { source: { sensitive: true } })
    const browser = await signedIn(app, alice)
    const page = await browser.get(path)
    expect(ticked(page.text)).toEqual(
      ['mention', 'quote', 'follow', 'follow_request', 'digest'].map(
        (kind) => `notification_emails[${kind}]`,
      ),
    )
    expect(page.text).not.toContain('notification_emails[report]')
    const { authenticity_token = '' } = page.form(path).fields
    const saved = await browser.post(path, {
      authenticity_token,
      'notification_emails[favourite]': '1',
      'notification_emails[report]': '1',
      always_send_emails: '1',
    })
    expect(saved.status).toBe(200)
    expect(ticked(saved.text)).toEqual(['notification_emails[favourite]', 'always_send_emails'])
    expect(ticked((await browser.get(path)).text)).toEqual(ticked(saved.text))
    const settings = await settingsOf(alice)
    expect(settings).toMatchObject({ default_sensitive: true, always_send_emails: true })
    expect(settings['notification_emails']).not.toHaveProperty('report')
  })

  test('offers staff what is theirs', async () => {
    const admin = await personWithPassword(app, 'admin', { role: 'Admin' })
    const text = (await (await signedIn(app, admin)).get(`${path}?lang=de`)).text
    expect(ticked(text)).toContain('notification_emails[report]')
    expect(text).toContain('Eine neue Meldung')
  })

  test('is for people who are signed in, by forms of this server [AUTH-10]', async () => {
    const stranger = await newBrowser(app).get(path)
    expect([stranger.status, stranger.location]).toEqual([
      302,
      `/auth/sign_in?return_to=${encodeURIComponent(path)}`,
    ])
    const browser = await signedIn(app, alice)
    expect((await browser.post(path, { always_send_emails: '1' })).status).toBe(422)
    expect(await settingsOf(alice)).toEqual({})
  })
})

describe('/unsubscribe', () => {
  test('asks, and then stops this kind alone', async () => {
    const browser = newBrowser(app)
    const page = await browser.get(link('follow'))
    expect(page.text).toContain('You will get no more mails about new followers from chat.example.')
    expect(await settingsOf(alice)).toEqual({})
    const done = await browser.submit(page.form('/unsubscribe'))
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('You get no more mails')])
    expect(await settingsOf(alice)).toEqual({ notification_emails: { follow: false } })
  })

  test('stops by one click of a mail program: without a page, cookies or a sign-in', async () => {
    const bob = await app.person('bob')
    await bob.say(`@${alice.username} hello`)
    await settleMails(app)
    const url = mailsTo(app, alice)[0]!.headers!['List-Unsubscribe']!.slice(1, -1)
    const answer = await app.fetch(url, {
      method: 'POST',
      headers: { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    expect(answer.status).toBe(200)
    const form = new FormData()
    form.append('List-Unsubscribe', 'One-Click')
    expect((await app.fetch(url, { method: 'POST', body: form })).status).toBe(200)
    app.mails.length = 0
    await bob.say(`@${alice.username} again`)
    await bob.follow(alice)
    await settleMails(app)
    expect(mailsTo(app, alice).map((mail) => mail.headers?.['List-ID'])).toEqual([
      `<follow.${alice.username}.chat.example>`,
    ])
  })

  test.each([
    ['another kind', () => link('follow').replace('type=follow', 'type=mention')],
    ['no kind that exists', () => link('follow').replace('type=follow', 'type=constructor')],
    ['another person', () => link('follow').replace(`token=${alice.userId}`, `token=1${alice.userId}`)],
    ['nothing signed', () => `/unsubscribe?type=follow&token=${alice.userId}`],
    ['nothing', () => '/unsubscribe'],
  ])('is 404 for %s', async (_, path) => {
    for (const method of ['GET', 'POST']) expect((await app.fetch(path(), { method })).status).toBe(404)
    expect(await settingsOf(alice)).toEqual({})
  })
})
