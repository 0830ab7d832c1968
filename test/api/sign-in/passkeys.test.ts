// Passkeys: as a second factor, and in place of name and password.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticator, type Tricks } from '#test/client/authenticator.ts'
import { useApp } from '#test/app/app.ts'
import type { Browser, Seen } from '#test/client/browser.ts'
import { minutes } from '#test/app/clock.ts'
import { mailsTo } from '#test/app/mails.ts'
import {
  addPasskey,
  beginPasskey,
  codesIn,
  factorsPath,
  optionsIn,
  turnOnApp,
  unlock,
} from '#test/people/two-factor.ts'
import { fillSignIn, newBrowser, password, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
const origin = 'https://chat.example'
const sessionName = '__Host-stonechat_session'
const step = '/auth/second_factor'

beforeEach(() => void (app.mails.length = 0))

async function personWithPasskey(options?: { counting: boolean }) {
  const person = await personWithPassword(app, 'alice')
  const browser = await signedIn(app, person)
  const authenticator = createAuthenticator(origin, options)
  const made = await addPasskey(browser, authenticator)
  expect(made.status).toBe(200)
  return { person, browser, authenticator, recoveryCodes: codesIn(made) }
}

async function halfSignedIn(email: string): Promise<{ browser: Browser; page: Seen }> {
  const browser = newBrowser(app)
  const seen = await fillSignIn(browser, email)
  expect(seen.location).toBe(step)
  return { browser, page: await browser.get(step) }
}

/** Sends an answer with the form of a page. */
const answer = (browser: Browser, page: Seen, credential: string, action = `${step}/passkey`) =>
  browser.submit(page.form(action), { credential })

async function openPasskeySignIn(): Promise<{ browser: Browser; page: Seen }> {
  const browser = newBrowser(app)
  return { browser, page: await browser.get('/auth/passkey') }
}

const badTricks: [string, Tricks][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['a subdomain', { origin: 'https://sub.chat.example' }],
  ['http', { origin: 'http://chat.example' }],
  ['another server', { rpId: 'evil.example' }],
  ['another challenge', { challenge: 'A'.repeat(43) }],
  ['a frame', { crossOrigin: true }],
]

describe('adding a passkey', () => {
  test('asks for it with all that a browser needs, keeps it with its name, and tells by mail', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    const page = await beginPasskey(browser, '<b>Blue key</b>')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(page.text).not.toMatch(/<script(?! src="\/assets\/passkey\.js\?v=\w+" defer>)/)
    const options = optionsIn(page)
    expect(options).toMatchObject({
      rp: { id: 'chat.example', name: 'chat.example' },
      user: { name: `${alice.username}@chat.example`, displayName: alice.username },
      excludeCredentials: [],
      attestation: 'none',
    })
    expect(options.user.id).not.toContain(alice.userId)
    const credential = createAuthenticator(origin).create(options)
    const made = await browser.submit(page.form(`${factorsPath}/passkeys/confirm`), { credential })
    expect([made.status, codesIn(made).length]).toEqual([200, 10])
    const list = await browser.get(factorsPath)
    expect(list.text).toContain('<strong>&lt;b&gt;Blue key&lt;/b&gt;</strong>')
    expect(optionsIn(await beginPasskey(browser)).excludeCredentials).toEqual([
      { type: 'public-key', id: JSON.parse(credential).id, transports: ['usb', 'nfc'] },
    ])
    await app.settle()
    const [mail] = mailsTo(app, alice)
    expect(mail?.subject).toBe(`New passkey: @${alice.username} on chat.example`)
    expect(mail?.text).toContain('Blue key')
    expect(mail?.html).not.toContain('<b>')
  })

  test.each(badTricks)('refuses an answer for %s [AUTH-14]', async (_, tricks) => {
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    const page = await beginPasskey(browser)
    const credential = createAuthenticator(origin).create(optionsIn(page), tricks)
    const seen = await browser.submit(page.form(`${factorsPath}/passkeys/confirm`), { credential })
    expect(seen.location).toBe(`${factorsPath}?notice=passkeyFailed`)
    expect((await fillSignIn(newBrowser(app), alice.email)).location).toBe('/')
  })

  test('a challenge counts once, for five minutes, for who was asked [AUTH-14]', async () => {
    const [alice, bob] = [await personWithPassword(app, 'alice'), await personWithPassword(app, 'bob')]
    const browser = await signedIn(app, alice)
    const page = await beginPasskey(browser)
    const authenticator = createAuthenticator(origin)
    const form = page.form(`${factorsPath}/passkeys/confirm`)
    const bobs = await signedIn(app, bob)
    const token = (await unlock(bobs)).form('/auth/sign_out').fields
    const credential = authenticator.create(optionsIn(page))
    const stolen = { ...form.fields, ...token, credential }
    expect((await bobs.post(form.action, stolen)).location).toContain('passkeyFailed')
    expect((await browser.submit(form, { credential })).status).toBe(200)
    const second = authenticator.create(optionsIn(page))
    expect((await browser.submit(form, { credential: second })).location).toContain('passkeyFailed')
    const late = await beginPasskey(browser)
    app.clock.advance(minutes(5) + 1)
    const lateKey = authenticator.create(optionsIn(late))
    expect(
      (await browser.submit(late.form(`${factorsPath}/passkeys/confirm`), { credential: lateKey })).location,
    ).toContain('passkeyFailed')
    expect((await browser.get(factorsPath)).text.match(/My key/g)?.length).toBeLessThanOrEqual(2)
  })

  test('no certificates are looked at, and nothing odd is an error', async () => {
    const browser = await signedIn(app, await personWithPassword(app, 'alice'))
    const authenticator = createAuthenticator(origin)
    const statement = new Map<string, unknown>([
      ['alg', -7],
      ['sig', Buffer.from('x')],
      ['x5c', [Buffer.from('x')]],
    ])
    const odd: ((page: Seen) => string)[] = [
      (page) => authenticator.create(optionsIn(page), { format: 'packed', statement }),
      (page) => authenticator.create(optionsIn(page), { format: 'apple', statement }),
      (page) => authenticator.create(optionsIn(page), { format: 'none', statement }),
      (page) => authenticator.create(optionsIn(page), { type: 'webauthn.get' }),
      () => '',
      () => 'null',
      () => '[]',
      () => '{"response":null}',
      () => JSON.stringify({ id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'e30' } }),
      (page) =>
        authenticator
          .create(optionsIn(page))
          .replace(/"attestationObject":"[^"]*"/, '"attestationObject":"_w"'),
      (page) =>
        authenticator
          .create(optionsIn(page))
          .replace(/"attestationObject":"[^"]*"/, '"attestationObject":{}'),
    ]
    for (const make of odd) {
      const page = await beginPasskey(browser)
      const credential = make(page)
      const seen = await browser.submit(page.form(`${factorsPath}/passkeys/confirm`), { credential })
      expect([credential.slice(0, 200), seen.location]).toEqual([
        credential.slice(0, 200),
        `${factorsPath}?notice=passkeyFailed`,
      ])
    }
  })

  test('a key belongs to one account, and there are twenty at most', async () => {
    const { browser, authenticator } = await personWithPasskey()
    const bob = await signedIn(app, await personWithPassword(app, 'bob'))
    const page = await beginPasskey(bob)
    const made = JSON.parse(authenticator.create(optionsIn(page)))
    await sql`update passkeys set credential_id = ${Buffer.from(made.id, 'base64url')}
      where user_id = (select max(user_id) from passkeys)`.execute(app.ctx.db)
    const seen = await bob.submit(page.form(`${factorsPath}/passkeys/confirm`), {
      credential: JSON.stringify(made),
    })
    expect(seen.location).toContain('passkeyFailed')
    for (let count = 1; count < 20; count++) {
      expect((await addPasskey(browser, createAuthenticator(origin), `key ${count}`)).status).toBe(200)
    }
    const full = await unlock(browser)
    expect(full.text).toContain('You have 20 passkeys')
    const token = full.form('/auth/sign_out').fields
    expect((await browser.post(`${factorsPath}/passkeys`, { ...token, nickname: 'x' })).location).toContain(
      'passkeyTooMany',
    )
  })

  test('renames and removes one’s own alone', async () => {
    const { person, browser } = await personWithPasskey()
    const other = await personWithPasskey()
    const page = await unlock(browser)
    const [rename] = page.forms.filter(({ action }) => action.endsWith('/rename'))
    expect((await browser.submit(rename!, { nickname: `  ${'n'.repeat(80)}` })).status).toBe(303)
    expect((await browser.get(factorsPath)).text).toContain(`<strong>${'n'.repeat(60)}</strong>`)
    const token = (await unlock(other.browser)).form('/auth/sign_out').fields
    for (const verb of ['rename', 'remove']) {
      const path = rename!.action.replace('rename', verb)
      expect((await other.browser.post(path, { ...token, nickname: 'mine' })).status).toBe(404)
    }
    const [remove] = page.forms.filter(({ action }) => action.endsWith('/remove'))
    expect((await browser.submit(remove!)).status).toBe(303)
    expect((await fillSignIn(newBrowser(app), person.email)).location).toBe('/')
    await app.settle()
    expect(mailsTo(app, person).map(({ subject }) => subject)).toContain(
      `Passkey removed: @${person.username} on chat.example`,
    )
  })
})

describe('as a second factor', () => {
  test.each([{ counting: true }, { counting: false }])(
    'signs in after the password (%j)',
    async (options) => {
      const { person, authenticator } = await personWithPasskey(options)
      for (let round = 0; round < 2; round++) {
        const { browser, page } = await halfSignedIn(person.email)
        expect(optionsIn(page).allowCredentials).toHaveLength(1)
        const seen = await answer(browser, page, authenticator.get(optionsIn(page), { userHandle: null }))
        expect([seen.status, seen.location]).toEqual([303, '/'])
        expect(browser.cookies.has(sessionName)).toBe(true)
      }
    },
  )

  test('recovery codes open where there is no app', async () => {
    const { person, recoveryCodes } = await personWithPasskey()
    const { browser, page } = await halfSignedIn(person.email)
    expect((await browser.submit(page.form(step), { code: '123456' })).status).toBe(422)
    expect((await browser.submit(page.form(step), { code: recoveryCodes[0]! })).status).toBe(303)
  })

  test.each(badTricks)('refuses an answer for %s [AUTH-14]', async (_, tricks) => {
    const { person, authenticator } = await personWithPasskey()
    const { browser, page } = await halfSignedIn(person.email)
    const seen = await answer(browser, page, authenticator.get(optionsIn(page), tricks))
    expect([seen.status, browser.cookies.has(sessionName)]).toEqual([422, false])
  })

  test('refuses the passkey of another account [AUTH-14]', async () => {
    const [alice, bob] = [await personWithPasskey(), await personWithPasskey()]
    const { browser, page } = await halfSignedIn(alice.person.email)
    const seen = await answer(browser, page, bob.authenticator.get(optionsIn(page)))
    expect([seen.status, browser.cookies.has(sessionName)]).toEqual([422, false])
    // Nor does what Bob was asked for open Alice's account.
    const bobs = await halfSignedIn(bob.person.email)
    const fields = bobs.page.form(`${step}/passkey`).fields
    const form = seen.form(`${step}/passkey`)
    const swapped = { ...form, fields: { ...form.fields, ticket: fields['ticket']! } }
    const credential = alice.authenticator.get({ ...optionsIn(bobs.page), allowCredentials: undefined })
    expect((await browser.submit(swapped, { credential })).status).toBe(422)
  })

  test('refuses an old challenge, and one that was answered [AUTH-14]', async () => {
    const { person, authenticator } = await personWithPasskey({ counting: false })
    const { browser, page } = await halfSignedIn(person.email)
    const credential = authenticator.get(optionsIn(page))
    app.clock.advance(minutes(5) + 1)
    expect((await answer(browser, page, credential)).status).toBe(422)

    const next = await browser.get(step)
    const wrong = authenticator.get(optionsIn(next), { origin: 'https://evil.example' })
    expect((await answer(browser, next, wrong)).status).toBe(422)
    expect((await answer(browser, next, authenticator.get(optionsIn(next)))).status).toBe(422)

    const last = await browser.get(step)
    const used = authenticator.get(optionsIn(last))
    expect((await answer(browser, last, used)).status).toBe(303)
    const { browser: again, page: asked } = await halfSignedIn(person.email)
    expect((await answer(again, asked, used)).status).toBe(422)
    const form = asked.form(`${step}/passkey`)
    const replayed = {
      ...form.fields,
      ticket: last.form(`${step}/passkey`).fields['ticket']!,
      credential: used,
    }
    expect((await again.post(form.action, replayed)).status).toBe(422)
  })

  test('refuses a key whose counter does not rise: it was copied [AUTH-14]', async () => {
    const { person, authenticator } = await personWithPasskey()
    const tries = [10, 10, 9, 11]
    const statuses = []
    for (const signCount of tries) {
      const { browser, page } = await halfSignedIn(person.email)
      statuses.push((await answer(browser, page, authenticator.get(optionsIn(page), { signCount }))).status)
    }
    expect(statuses).toEqual([303, 422, 422, 303])
  })

  test('refuses a forged signature [AUTH-14]', async () => {
    const { person, authenticator } = await personWithPasskey()
    const forger = await personWithPasskey()
    const { browser, page } = await halfSignedIn(person.email)
    const theirs = JSON.parse(authenticator.get(optionsIn(page)))
    const forged = JSON.parse(forger.authenticator.get({ ...optionsIn(page), allowCredentials: undefined }))
    theirs.response.signature = forged.response.signature
    expect((await answer(browser, page, JSON.stringify(theirs))).status).toBe(422)
  })
})

describe('in place of name and password', () => {
  const path = '/auth/passkey'

  test('signs in whoever shows to be its owner, with nothing more to be asked', async () => {
    const { person, browser: own, authenticator } = await personWithPasskey()
    await turnOnApp(app, own)
    const { browser, page } = await openPasskeySignIn()
    expect(optionsIn(page)).toMatchObject({ rpId: 'chat.example', userVerification: 'required' })
    expect(optionsIn(page)).not.toHaveProperty('allowCredentials')
    const seen = await answer(browser, page, authenticator.get(optionsIn(page)), path)
    expect([seen.status, seen.location]).toEqual([303, '/'])
    expect((await browser.get('/auth/edit')).text).toContain(person.email)
  })

  test('leads back to where it was asked for', async () => {
    const { authenticator } = await personWithPasskey()
    const browser = newBrowser(app)
    const signIn = await browser.get('/auth/sign_in?return_to=/settings/export')
    expect(signIn.text).toContain('href="/auth/passkey?return_to=%2Fsettings%2Fexport"')
    const page = await browser.get('/auth/passkey?return_to=/settings/export')
    const seen = await answer(browser, page, authenticator.get(optionsIn(page)), path)
    expect(seen.location).toBe('/settings/export')
  })

  const refused: [string, Tricks][] = [
    ...badTricks,
    ['nobody who was asked for a PIN', { unverified: true }],
    ['another user', { userHandle: 'A'.repeat(43) }],
    ['no user', { userHandle: null }],
  ]
  test.each(refused)('refuses an answer for %s [AUTH-14]', async (_, tricks) => {
    const { authenticator } = await personWithPasskey()
    const { browser, page } = await openPasskeySignIn()
    const seen = await answer(browser, page, authenticator.get(optionsIn(page), tricks), path)
    expect([seen.status, browser.cookies.has(sessionName)]).toEqual([422, false])
  })

  test('the challenge is of this browser, and of this way to sign in [AUTH-14]', async () => {
    const { person, authenticator } = await personWithPasskey({ counting: false })
    const [mine, theirs] = [await openPasskeySignIn(), await openPasskeySignIn()]
    const form = mine.page.form(path)
    const ticket = theirs.page.form(path).fields['ticket']!
    const credential = authenticator.get(optionsIn(theirs.page))
    expect((await mine.browser.submit(form, { ticket, credential })).status).toBe(422)
    // An answer after a password, where no PIN was asked for, is none in place of it.
    const half = await halfSignedIn(person.email)
    const asked = { ...half.page.form(`${step}/passkey`), action: path }
    const second = authenticator.get(optionsIn(half.page))
    expect((await half.browser.submit(asked, { credential: second })).status).toBe(422)
  })

  test('unknown keys are refused as wrong ones are, and closed logins are told so', async () => {
    const { person, authenticator } = await personWithPasskey()
    const stranger = createAuthenticator(origin)
    stranger.create({ rp: { id: 'chat.example' }, user: { id: 'AAAA' }, challenge: 'x' })
    const unknown = await openPasskeySignIn()
    const seen = await answer(unknown.browser, unknown.page, stranger.get(optionsIn(unknown.page)), path)
    expect(seen.status).toBe(422)
    await sql`update users set disabled = true where id = ${person.userId}`.execute(app.ctx.db)
    const { browser, page } = await openPasskeySignIn()
    const closed = await answer(browser, page, authenticator.get(optionsIn(page)), path)
    expect([closed.status, closed.text.includes('disabled'), browser.cookies.has(sessionName)]).toEqual([
      403,
      true,
      false,
    ])
  })
})

test('a changed password keeps the factors; a deleted account takes them along', async () => {
  const { person, browser } = await personWithPasskey()
  const edit = await browser.get('/auth/edit')
  const next = 'another good one'
  await browser.submit(edit.form('/auth/edit/password'), { current_password: password, password: next })
  expect((await fillSignIn(newBrowser(app), person.email, next)).location).toBe(step)
  const page = await browser.get('/settings/delete')
  expect((await browser.submit(page.form('/settings/delete'), { current_password: next })).status).toBe(200)
  await app.settle()
  const { rows } = await sql`
    select 1 from passkeys where user_id = ${person.userId}
    union all select 1 from recovery_codes where user_id = ${person.userId}`.execute(app.ctx.db)
  expect(rows).toEqual([])
})
