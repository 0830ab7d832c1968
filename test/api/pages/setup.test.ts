// A fresh server, from its first visitor to the first post: by the link that its start prints, without scripts.
import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { setUpToken } from '#domain/identity/accounts/registration/set-up.ts'
import { updateSettings } from '#domain/server/instance/update-settings.ts'
import { useApp } from '#test/app/app.ts'
import { makeSignUpApp, registration } from '#test/people/registration.ts'
import { fillSignIn, newBrowser } from '#test/people/sign-in.ts'

const app = useApp()
const link = () => `/setup?${new URLSearchParams({ token: setUpToken(app.ctx.secrets) })}`
const wanted = {
  title: 'Aviary',
  description: 'For birds',
  registrations: 'approved',
  rules: 'Sing.\n\n Do not peck. ',
  username: 'olga',
  email: 'olga@mail.example',
  password: 'correct horse battery',
}

describe('a server without any account', () => {
  test('lets nobody sign up, by page or by API, and says why', async () => {
    const browser = newBrowser(app)
    const page = await browser.get('/auth/sign_up')
    expect(page.status).toBe(403)
    expect(page.text).toContain('still being set up')
    expect((await browser.get('/')).text).toContain('still being set up')
    const through = await makeSignUpApp(app)
    expect((await through.post('/api/v1/accounts', registration())).status).toBe(403)
    const instance = (await app.anonymous.get('/api/v2/instance')).ok()
    expect(instance['registrations']).toMatchObject({ enabled: false })
  })

  test('shows the page to nobody without the link', async () => {
    const browser = newBrowser(app)
    for (const path of ['/setup', '/setup?token=server.x', '/setup?token=']) {
      const page = await browser.get(path)
      expect(page.status).toBe(403)
      expect(page.forms.map(({ action }) => action)).not.toContain('/setup')
    }
    const form = (await browser.get(link())).form('/setup')
    expect((await browser.submit(form, { ...wanted, token: 'server.x' })).status).toBe(403)
  })

  test('says what is wrong beside what was written', async () => {
    const browser = newBrowser(app)
    const form = (await browser.get(link())).form('/setup')
    for (const wrong of [
      { username: 'ol ga' },
      { email: 'olga' },
      { password: 'short' },
      { rules: 'x'.repeat(301) },
    ]) {
      const page = await browser.submit(form, { ...wanted, ...wrong })
      expect([wrong, page.status]).toEqual([wrong, 422])
      expect(page.text).toContain('Aviary')
      expect(page.text).not.toContain(wanted.password)
    }
    expect((await sql`select 1 from users`.execute(app.ctx.db)).rows).toEqual([])
  })

  test('is set up once: by settings, rules, and an owner who is signed in and may write', async () => {
    const [browser, second] = [newBrowser(app), newBrowser(app)]
    const form = (await browser.get(link())).form('/setup')
    const late = (await second.get(link())).form('/setup')
    expect((await browser.submit(form, wanted)).location).toBe('/setup/done')
    expect(
      (await second.submit(late, { ...wanted, username: 'otto', email: 'otto@mail.example' })).status,
    ).toBe(404)
    expect((await second.get(link())).status).toBe(404)
    const instance = (await app.anonymous.get('/api/v2/instance')).ok()
    expect(instance).toMatchObject({
      title: 'Aviary',
      description: 'For birds',
      registrations: { enabled: true, approval_required: true },
      rules: [{ text: 'Sing.' }, { text: 'Do not peck.' }],
      contact: { email: 'olga@mail.example', account: { username: 'olga', roles: [{ name: 'Owner' }] } },
    })
    const done = await browser.get('/setup/done')
    expect(done.text).toContain('@olga@')
    expect((await fillSignIn(second, 'olga@mail.example', wanted.password)).status).toBe(303)
    expect((await second.get('/auth/sign_up')).location).toBe('/')
    const { rows } = await sql<{ action: string }>`
      select action || ' ' || target_type as action from audit_log order by id`.execute(app.ctx.db)
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['create user', 'update setting', 'create rule']),
    )
  })

  test('sends its owner a mail to see whether mails arrive, and nobody else one', async () => {
    const browser = newBrowser(app)
    await fillSignIn(browser, 'olga@mail.example', wanted.password)
    app.mails.length = 0
    const sent = await browser.submit((await browser.get('/setup/done')).form('/setup/mail'))
    expect(sent.text).toContain('olga@mail.example')
    expect(app.mails.map(({ to }) => to)).toEqual(['olga@mail.example'])
    expect((await newBrowser(app).get('/setup/done')).status).toBe(302)
  })
})

describe('a server without any account whose operator has said who may sign up', () => {
  const opened = useApp()

  test('lets people sign up', async () => {
    await updateSettings(opened.ctx, 'operator', { registrations_mode: 'open' })
    const through = await makeSignUpApp(opened)
    expect((await through.post('/api/v1/accounts', registration())).status).toBe(200)
  })
})
