import { beforeAll, describe, expect, test } from 'vitest'
import { approveUser } from '#domain/identity/accounts/registration/approve.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { startApp, useApp } from '#test/app/app.ts'
import { days, hours, minutes } from '#test/app/clock.ts'
import { mailedPath, makeSignUpApp, registration, returnUri, signUp } from '#test/people/registration.ts'
import { newBrowser } from '#test/people/sign-in.ts'

const app = useApp()
// Somebody runs the server: without any account it is not set up, and nobody can sign up.
beforeAll(() => app.person('host'))

async function withSettings(values: Record<string, unknown>, work: () => Promise<void>): Promise<void> {
  const defaults = { registrations_mode: 'open', require_invite_text: false, min_age: null } as const
  try {
    for (const [key, value] of Object.entries(values))
      await setSetting(app.ctx, key as 'min_age', value as number)
    await work()
  } finally {
    for (const [key, value] of Object.entries(defaults))
      await setSetting(app.ctx, key as 'min_age', value as null)
  }
}

const userOf = (username: string) =>
  app.ctx.db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .selectAll('users')
    .where('accounts.username', '=', username)
    .executeTakeFirstOrThrow()

describe('POST /api/v1/accounts', () => {
  test('makes an unconfirmed account and answers a token of the application [3-1] [3-5] [3-6] [3-7] [4-4] [4-7] [4-8] [6-6]', async () => {
    const through = await makeSignUpApp(app)
    const made = await signUp(app, through, { locale: 'de-DE', reason: 'Birds', time_zone: 'Europe/Berlin' })
    expect(made.answer.body).toMatchObject({ token_type: 'Bearer', scope: 'read write follow push' })
    expect(await userOf(made.username)).toMatchObject({
      email: made.email,
      confirmed_at: null,
      approved: true,
      locale: 'de',
      time_zone: 'Europe/Berlin',
      sign_up_reason: 'Birds',
    })
    await app.settle()
    const mail = app.mails.findLast((one) => one.to === made.email)
    expect(mail?.subject).toBe(`Bestätige dein Konto auf ${app.ctx.config.localDomain}`)
    expect((await made.get('/api/v1/apps/verify_credentials')).ok().name).toBe('Sign-up app')
  })

  test('the token of an unconfirmed user opens nothing else, and nobody sees the account [ACC-10]', async () => {
    const made = await signUp(app, await makeSignUpApp(app))
    const refused = await made.post('/api/v1/statuses', { status: 'too early' })
    expect([refused.status, refused.body.error]).toEqual([
      403,
      'Your login is missing a confirmed e-mail address',
    ])
    const seen = await app.anonymous.get('/api/v1/accounts/lookup', { acct: made.username })
    expect(seen.status).toBe(404)
  })

  test('wants a client-credentials token with the scope [4-5] [5-8]', async () => {
    const alice = await app.person('alice')
    const byUser = await alice.post('/api/v1/accounts', registration())
    expect([byUser.status, byUser.body.error]).toEqual([
      403,
      'This method requires an client credentials authentication',
    ])
    expect((await app.anonymous.post('/api/v1/accounts', registration())).status).toBe(401)
    const reader = await makeSignUpApp(app, { scopes: 'read' })
    expect((await reader.post('/api/v1/accounts', registration())).status).toBe(403)
  })

  test('tells all problems at once, by field [4-6] [4-11] [7-6]', async () => {
    const through = await makeSignUpApp(app)
    const nothing = await through.post('/api/v1/accounts', {})
    expect(nothing.status).toBe(422)
    expect(nothing.body.details).toEqual({
      username: [{ error: 'ERR_BLANK', description: "can't be blank" }],
      email: [
        { error: 'ERR_BLANK', description: "can't be blank" },
        { error: 'ERR_INVALID', description: 'is invalid' },
      ],
      password: [{ error: 'ERR_BLANK', description: "can't be blank" }],
      agreement: [{ error: 'ERR_ACCEPTED', description: 'must be accepted' }],
    })
    expect(nothing.body.error).toMatch(/^Validation failed: /)
    expect(nothing.body.error).toContain('Service agreement must be accepted')
  })

  test.each([
    ['username', { username: 'a b' }, 'ERR_INVALID'],
    ['username', { username: 'ä' }, 'ERR_INVALID'],
    ['username', { username: 'x'.repeat(31) }, 'ERR_TOO_LONG'],
    ['email', { email: 'nobody' }, 'ERR_INVALID'],
    ['email', { email: 'a@localhost' }, 'ERR_INVALID'],
    ['email', { email: 'a@b.example\r\nBcc: c@d.example' }, 'ERR_INVALID'],
    ['email', { email: 'a,b@c.example' }, 'ERR_INVALID'],
    ['email', { email: `${'x'.repeat(320)}@c.example` }, 'ERR_TOO_LONG'],
    ['password', { password: 'short12' }, 'ERR_TOO_SHORT'],
    ['password', { password: 'x'.repeat(73) }, 'ERR_TOO_LONG'],
    ['agreement', { agreement: 'false' }, 'ERR_ACCEPTED'],
    ['reason', { reason: 'x'.repeat(421) }, 'ERR_TOO_LONG'],
    ['email', { email: '\ud800@c.example' }, 'ERR_INVALID'],
  ])('refuses a wrong %s: %j', async (field, changes, code) => {
    const through = await app.application(['write:accounts'])
    const answer = await through.post('/api/v1/accounts', registration(changes))
    expect(answer.status).toBe(422)
    expect(Object.entries(answer.body.details)).toEqual([
      [field, [{ error: code, description: expect.any(String) }]],
    ])
  })

  test.each([['C'], ['hello'], ['POSIX'], ['de_DE.UTF-8'], ['1'], [''], [undefined]])(
    'puts the locale %j right',
    async (locale) => {
      const made = await signUp(app, await makeSignUpApp(app), { locale, time_zone: 'Nowhere/Land' })
      expect(await userOf(made.username)).toMatchObject({
        locale: locale?.startsWith('de') ? 'de' : 'en',
        time_zone: null,
      })
    },
  )

  test('takes addresses without a dot on a server whose own name has none', async () => {
    const local = await startApp({ env: { LOCAL_DOMAIN: 'localhost:3000' } })
    await local.person('host')
    const through = await local.application(['write:accounts'])
    const answer = await through.post('/api/v1/accounts', registration({ email: 'somebody@localhost' }))
    expect(answer.ok().token_type).toBe('Bearer')
    await local.settle()
    expect(local.mails.map((mail) => mail.to)).toContain('somebody@localhost')
    const wrong = await through.post('/api/v1/accounts', registration({ email: 'somebody@' }))
    expect(wrong.body.details.email[0].error).toBe('ERR_INVALID')
    await local.close()
  })

  test('refuses names and addresses that are taken, reserved or were deleted [AUTH-20]', async () => {
    const through = await app.application(['write'])
    const bob = await app.person('bob')
    const codeOf = async (changes: Record<string, unknown>) =>
      Object.entries((await through.post('/api/v1/accounts', registration(changes))).body.details).map(
        ([field, problems]) => `${field} ${(problems as { error: string }[])[0]!.error}`,
      )
    expect(await codeOf({ username: bob.username.toUpperCase() })).toEqual(['username ERR_TAKEN'])
    expect(await codeOf({ email: bob.email.toUpperCase() })).toEqual(['email ERR_TAKEN'])
    for (const name of ['Admin', 'r00t', 'm0derator', 'supp_ort', 'WebMaster', 'he1p']) {
      expect(await codeOf({ username: name })).toEqual(['username ERR_RESERVED'])
    }
    const gone = await app.person('gone')
    await app.ctx.db.deleteFrom('users').where('id', '=', gone.userId).execute()
    await app.ctx.db
      .updateTable('accounts')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.accountId)
      .execute()
    expect(await codeOf({ username: gone.username })).toEqual(['username ERR_RESERVED'])
  })

  test('one of two at the same time gets the name [AUTH-20]', async () => {
    const through = await app.application(['write'])
    const wanted = registration()
    const tries = ['one@race.example', 'two@race.example', 'three@race.example'].map((email) =>
      through.post('/api/v1/accounts', { ...wanted, email }),
    )
    const answers = await Promise.all(tries)
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 422, 422])
    const lost = answers.find((answer) => answer.status === 422)
    expect(lost?.body.details.username[0].error).toBe('ERR_TAKEN')
  })

  test('looks at no further members [AUTH-17]', async () => {
    const extra = {
      role: 'Owner',
      role_id: '3',
      confirmed: true,
      confirmed_at: '2020-01-01',
      approved: true,
      admin: true,
    }
    await withSettings({ registrations_mode: 'approved' }, async () => {
      const made = await signUp(app, await app.application(['write']), { ...extra, user: extra })
      expect(await userOf(made.username)).toMatchObject({
        role_id: null,
        confirmed_at: null,
        approved: false,
      })
    })
  })

  test('answers 403 when registrations are closed [4-9] [7-2]', async () => {
    await withSettings({ registrations_mode: 'none' }, async () => {
      const answer = await (await app.application(['write'])).post('/api/v1/accounts', registration())
      expect([answer.status, answer.body.error]).toEqual([403, 'This action is not allowed'])
    })
    const single = await startApp({ env: { SINGLE_USER_MODE: 'true' } })
    try {
      const answer = await (await single.application(['write'])).post('/api/v1/accounts', registration())
      expect(answer.status).toBe(403)
    } finally {
      await single.close()
    }
  })

  test('asks for the age where the server has a least one, and keeps nothing of it', async () => {
    await withSettings({ min_age: 16 }, async () => {
      const through = await app.application(['write'])
      const year = new Date(app.clock.now()).getUTCFullYear()
      const codeOf = async (date?: string) =>
        (await through.post('/api/v1/accounts', registration({ date_of_birth: date }))).body.details
          ?.date_of_birth?.[0].error
      expect(await codeOf()).toBe('ERR_BLANK')
      expect(await codeOf('2001-02-30')).toBe('ERR_INVALID')
      expect(await codeOf(`${year - 15}-01-01`)).toBe('ERR_BELOW_LIMIT')
      expect(await codeOf(`${year - 17}-12-31`)).toBeUndefined()
    })
  })

  test('five in thirty minutes per address, whoever and wherever it is [4-10] [8-4] [AUTH-16]', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on' } })
    await limited.person('host')
    try {
      const through = await limited.application(['write'])
      const from = (address: string) =>
        through.post('/api/v1/accounts', registration(), { 'x-forwarded-for': address })
      for (let i = 0; i < 5; i++) (await from('127.0.0.1')).ok()
      const sixth = await from('127.0.0.1')
      expect([sixth.status, sixth.body.error]).toEqual([429, 'Too many requests'])
      expect(sixth.headers.get('x-ratelimit-remaining')).toBe('0')
      for (let i = 0; i < 5; i++) (await from(`2001:db8::${i + 1}`)).ok()
      expect((await from('2001:db8::beef')).status).toBe(429)
      limited.clock.advance(minutes(30))
      ;(await from('127.0.0.1')).ok()
    } finally {
      await limited.close()
    }
  })
})

test('odd characters in a reason do no harm', async () => {
  const made = await signUp(app, await app.application(['write']), {
    reason: 'a\0b\ud800',
    time_zone: 'No/Where',
  })
  expect(await userOf(made.username)).toMatchObject({ time_zone: null })
})

describe('confirmation', () => {
  test('following the link confirms and leads back to the application [3-8] [3-9] [4-75]', async () => {
    const made = await signUp(app, await makeSignUpApp(app))
    expect((await made.get('/api/v1/emails/check_confirmation')).ok()).toBe(false)
    const path = await mailedPath(app, made.email)
    expect((await app.fetch(path, { method: 'HEAD' })).status).toBe(200)
    expect((await made.get('/api/v1/emails/check_confirmation')).ok()).toBe(false)
    const seen = await newBrowser(app).get(path)
    expect([seen.status, seen.location]).toEqual([302, returnUri])
    expect((await made.get('/api/v1/emails/check_confirmation')).ok()).toBe(true)
    ;(await made.post('/api/v1/statuses', { status: 'here I am' })).ok()
    const again = await newBrowser(app).get(path)
    expect(again.status).toBe(422)
    expect(again.form('/auth/confirmation').method).toBe('post')
  })

  test('an application without an address of its own leads to a page', async () => {
    const through = await makeSignUpApp(app, { redirectUri: 'urn:ietf:wg:oauth:2.0:oob' })
    const made = await signUp(app, through)
    const seen = await newBrowser(app).get(await mailedPath(app, made.email))
    expect([seen.status, seen.location]).toEqual([200, null])
    expect(seen.text).toContain('/auth/sign_in')
  })

  test('the link works for two days, and no other link does [AUTH-9]', async () => {
    const made = await signUp(app, await makeSignUpApp(app))
    const path = await mailedPath(app, made.email)
    const stored = JSON.stringify(await app.ctx.db.selectFrom('user_tokens').selectAll().execute())
    expect(stored).not.toContain(path.split('token=')[1]!)
    const browser = newBrowser(app)
    expect((await browser.get(`${path}x`)).status).toBe(422)
    expect((await browser.get(path.replace(/token=\d+/, 'token=1'))).status).toBe(422)
    app.clock.advance(hours(48) + 1)
    expect((await browser.get(path)).status).toBe(422)
    expect((await userOf(made.username)).confirmed_at).toBeNull()
  })

  test('is sent again, and to a corrected address, by the application of the sign-up [3-10] [3-11] [4-43] [4-44]', async () => {
    const through = await makeSignUpApp(app)
    const made = await signUp(app, through)
    const first = await mailedPath(app, made.email)
    expect((await made.post('/api/v1/emails/confirmations')).ok()).toEqual({})
    expect(await mailedPath(app, made.email)).not.toBe(first)
    const corrected = `right-${made.email}`
    ;(await made.post('/api/v1/emails/confirmations', { email: corrected })).ok()
    expect(await userOf(made.username)).toMatchObject({ email: corrected, confirmed_at: null })
    const second = await mailedPath(app, corrected)
    expect((await newBrowser(app).get(first)).status).toBe(422)
    expect((await newBrowser(app).get(second)).status).toBe(302)
    const late = await made.post('/api/v1/emails/confirmations')
    expect([late.status, late.body.error]).toEqual([
      403,
      'This method is only available while the e-mail is awaiting confirmation',
    ])
  })

  test('is not sent to bad or taken addresses, nor at the word of another application', async () => {
    const made = await signUp(app, await makeSignUpApp(app))
    const bob = await app.person('bob')
    expect((await made.post('/api/v1/emails/confirmations', { email: 'nonsense' })).status).toBe(422)
    expect(
      (await made.post('/api/v1/emails/confirmations', { email: bob.email })).body.details.email[0].error,
    ).toBe('ERR_TAKEN')
    const waiting = await app.person('waiting', { confirmed: false })
    const other = await waiting.post('/api/v1/emails/confirmations')
    expect([other.status, other.body.error]).toEqual([
      403,
      'This method is only available to the application the user originally signed-up with',
    ])
    expect((await app.anonymous.post('/api/v1/emails/confirmations')).status).toBe(401)
    expect((await app.anonymous.get('/api/v1/emails/check_confirmation')).status).toBe(401)
    const readOnly = await app.withScopes(bob, ['read:statuses'])
    expect((await readOnly.get('/api/v1/emails/check_confirmation')).status).toBe(403)
    expect((await readOnly.post('/api/v1/emails/confirmations')).status).toBe(403)
  })

  test('mails are limited per address and user, in every spelling [AUTH-17]', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on' } })
    await limited.person('host')
    try {
      const browser = newBrowser(limited)
      const form = (await browser.get('/auth/confirmation/new')).form('/auth/confirmation')
      const ask = async (email: string) => (await browser.submit(form, { email })).status
      for (const email of [
        'a.b@c.example',
        'A.B@c.example',
        'ab@c.example',
        'ab+1@c.example',
        'a.b+2@c.example',
      ]) {
        expect(await ask(email)).toBe(200)
      }
      expect(await ask('ab+3@c.example')).toBe(429)
      expect(await ask('other@c.example')).toBe(200)
    } finally {
      await limited.close()
    }
  })

  test('the page that asks for the link answers alike for everybody [AUTH-15]', async () => {
    const made = await signUp(app, await makeSignUpApp(app))
    await mailedPath(app, made.email)
    const sent = app.mails.length
    const browser = newBrowser(app)
    const form = (await browser.get('/auth/confirmation/new')).form('/auth/confirmation')
    const known = await browser.submit(form, { email: made.email })
    const unknown = await browser.submit(form, { email: 'nobody@mail.example' })
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    await app.settle()
    expect(app.mails.slice(sent).map((mail) => mail.to)).toEqual([made.email])
  })
})

describe('approval', () => {
  test('a reason is wanted, staff are told after confirmation, and the person after approval', async () => {
    await withSettings({ registrations_mode: 'approved', require_invite_text: true }, async () => {
      const moderator = await app.person('moderator', { role: 'Moderator' })
      const through = await makeSignUpApp(app)
      const missing = await through.post('/api/v1/accounts', registration())
      expect(missing.body.details.reason[0].error).toBe('ERR_BLANK')
      const made = await signUp(app, through, { reason: 'I like birds' })
      const path = await mailedPath(app, made.email)
      const toStaff = () => app.mails.filter((mail) => mail.to === moderator.email)
      expect(toStaff()).toEqual([])
      await newBrowser(app).get(path)
      await app.settle()
      expect(toStaff()[0]?.text).toContain('I like birds')
      const refused = await made.post('/api/v1/statuses', { status: 'too early' })
      expect([refused.status, refused.body.error]).toEqual([403, 'Your login is currently pending approval'])
      expect(await approveUser(app.ctx, 'operator', (await userOf(made.username)).id)).toBe(true)
      expect(await approveUser(app.ctx, 'operator', (await userOf(made.username)).id)).toBe(false)
      expect(await mailedPath(app, made.email)).toBe('/auth/sign_in')
      ;(await made.post('/api/v1/statuses', { status: 'at last' })).ok()
    })
  })
})

describe('the pages of sign-up', () => {
  test('make an account, say what is wrong, and let the address be corrected', async () => {
    const browser = newBrowser(app)
    const form = (await browser.get('/auth/sign_up')).form('/auth/sign_up')
    const given = registration()
    const fields = { username: given.username, email: given.email, password: 'correct horse battery' }
    const refused = await browser.submit(form, { ...fields, username: 'admin', agreement: '' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('This name cannot be had.')
    const made = await browser.submit(form, { ...fields, agreement: '1' })
    expect([made.status, made.location]).toEqual([303, '/auth/setup'])
    const setup = await browser.get('/auth/setup')
    expect(setup.form('/auth/setup').fields['email']).toBe(given.email)
    expect((await browser.get('/home')).location).toBe('/auth/setup')
    expect((await browser.get('/')).text).toContain('Your e-mail address is not confirmed yet.')
    const better = `better-${given.email}`
    expect((await browser.submit(setup.form('/auth/setup'), { email: better })).status).toBe(200)
    const confirmed = await browser.get(await mailedPath(app, better))
    expect(confirmed.status).toBe(200)
    expect(await userOf(given.username)).toMatchObject({ email: better, confirmed_at: expect.any(Date) })
    expect((await browser.get('/auth/setup')).location).toBe('/')
  })

  test('say so when registrations are closed, and need a form of ours [AUTH-10]', async () => {
    const stranger = newBrowser(app)
    expect((await stranger.post('/auth/sign_up', { username: 'x' })).status).toBe(422)
    await withSettings({ registrations_mode: 'none' }, async () => {
      const seen = await newBrowser(app).get('/auth/sign_up')
      expect(seen.status).toBe(403)
      expect(seen.forms.some((form) => form.action === '/auth/sign_up')).toBe(false)
    })
  })
})

describe('what was never confirmed', () => {
  test('is deleted after a week, with old links and sessions', async () => {
    const made = await signUp(app, await makeSignUpApp(app))
    await mailedPath(app, made.email)
    const kept = await app.person('kept')
    await app.ctx.jobs.add('delete-stale-users', {})
    await app.settle()
    await userOf(made.username)
    app.clock.advance(days(7) + 1)
    await app.ctx.jobs.add('delete-stale-users', {})
    await app.settle()
    await expect(userOf(made.username)).rejects.toThrow()
    await userOf(kept.username)
    expect(await app.ctx.db.selectFrom('user_tokens').selectAll().execute()).toEqual([])
    await signUp(app, await app.application(['write']), { username: made.username })
  })
})
