import { beforeAll, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import { newBrowser } from '#test/people/sign-in.ts'
import { mailedPath, makeSignUpApp, signUp } from '#test/people/registration.ts'

const app = useApp()
// Somebody runs the server: without any account it is not set up, and nobody can sign up.
beforeAll(() => app.person('host'))

async function ask(path: string, form: string, email: string): Promise<void> {
  const browser = newBrowser(app)
  await browser.submit((await browser.get(path)).form(form), { email })
}

describe('mails', () => {
  test('have text and HTML with the same link, and say that a program wrote them', async () => {
    const made = await signUp(app, await makeSignUpApp(app))
    const path = await mailedPath(app, made.email)
    const mail = app.mails.findLast((one) => one.to === made.email)
    expect(mail?.html).toContain(`href="${app.ctx.config.baseUrl}${path}"`)
    expect(mail?.text).toContain(`@${made.username}`)
    expect(mail?.headers).toMatchObject({ 'Content-Language': 'en', 'X-Auto-Response-Suppress': 'All' })
  })

  test.each([
    ['de', 'Wähle ein neues Passwort'],
    ['de-AT', 'Wähle ein neues Passwort'],
    ['en', 'Choose a new password'],
    ['fr', 'Choisissez un nouveau mot de passe'],
    ['it', 'Choose a new password'],
  ])('are in the language of a user with %s where there is a text', async (locale, subject) => {
    const person = await app.person('reader')
    await app.ctx.db.updateTable('users').set({ locale }).where('id', '=', person.userId).execute()
    await ask('/auth/password/new', '/auth/password', person.email)
    await app.settle()
    expect(app.mails.findLast((one) => one.to === person.email)?.subject).toContain(subject)
  })

  test('are not sent once they are pointless', async () => {
    const made = await signUp(app, await makeSignUpApp(app))
    await app.ctx.db.deleteFrom('users').where('email', '=', made.email).execute()
    await app.settle()
    expect(app.mails.filter((one) => one.to === made.email)).toEqual([])
  })

  test('keep the words of others on one line and in their direction [CNT-9]', async () => {
    const admin = await app.person('admin', { role: 'Admin' })
    await setSetting(app.ctx, 'registrations_mode', 'approved')
    await setSetting(app.ctx, 'site_title', 'Birds\r\nBcc: x@y.example\u202E')
    const reason = 'One\n\nTo approve: https://evil.example\u202E<b>bold</b>'
    const made = await signUp(app, await makeSignUpApp(app), { reason })
    await newBrowser(app).get(await mailedPath(app, made.email))
    await app.settle()
    const mail = app.mails.findLast((one) => one.to === admin.email)
    expect(mail?.text).toContain('\u2068One To approve: https://evil.example<b>bold</b>\u2069')
    expect(mail?.text).toContain('\u2068Birds Bcc: x@y.example\u2069')
    expect(mail?.html).toContain('&lt;b&gt;bold&lt;/b&gt;')
    expect(mail?.subject).not.toMatch(/[\r\n]/)
  })

  test('leave no token in logs or in the queue [AUTH-9]', async () => {
    const person = await app.person('secretive')
    await ask('/auth/password/new', '/auth/password', person.email)
    const waiting = JSON.stringify(await app.ctx.db.selectFrom('outbox').selectAll().execute())
    const token = (await mailedPath(app, person.email)).split('token=')[1]!
    await newBrowser(app).get(`/auth/password/edit?reset_password_token=${token}`)
    expect(waiting).not.toContain(token)
    expect(JSON.stringify(app.logLines)).not.toContain(token)
  })
})
