// Codes of an app and recovery codes: setting up, signing in, turning off.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { startApp, useApp } from '#test/app/app.ts'
import { minutes } from '#test/app/clock.ts'
import { dumpDatabase } from '#test/app/database.ts'
import { mailsTo, setLocale } from '#test/app/mails.ts'
import { askToken, authorizePath, registerClient } from '#test/client/oauth.ts'
import { codeOf, codesIn, factorsPath, secretIn, turnOnApp, unlock } from '#test/people/two-factor.ts'
import {
  fillSignIn,
  hashAsChosen,
  newBrowser,
  password,
  personWithPassword,
  signedIn,
} from '#test/people/sign-in.ts'

const app = useApp({ env: { OAUTH_PASSWORD_GRANT: 'true' } })
const sessionName = '__Host-stonechat_session'
const attemptName = '__Host-stonechat_attempt'
const step = '/auth/second_factor'

beforeEach(() => void (app.mails.length = 0))

/** A person with codes of an app turned on. */
async function protectedPerson() {
  const person = await personWithPassword(app, 'alice')
  const browser = await signedIn(app, person)
  return { person, browser, ...(await turnOnApp(app, browser)) }
}

/** A browser where the right password was given. */
async function halfSignedIn(email: string, path?: string) {
  const browser = newBrowser(app)
  const seen = await fillSignIn(browser, email, password, path)
  expect(seen.location).toMatch(/^\/auth\/second_factor/)
  return { browser, page: await browser.get(seen.location!) }
}

describe('setting up an app', () => {
  test('wants the password, shows picture and key, and asks for a code before it counts', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    const locked = await browser.get(factorsPath)
    expect(locked.forms.map(({ action }) => action)).toEqual([
      '/auth/sign_out',
      '/settings',
      `${factorsPath}/unlock`,
    ])
    const wrong = await browser.submit(locked.form(`${factorsPath}/unlock`), { current_password: 'wrong' })
    expect([wrong.status, wrong.text.includes(`action="${factorsPath}/app"`)]).toEqual([422, false])

    const setup = await browser.submit((await unlock(browser)).form(`${factorsPath}/app`))
    expect(setup.text).toMatch(
      /<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 \d+ \d+"><rect fill="white"/,
    )
    expect(setup.text).not.toContain('style=')
    expect(secretIn(setup)).toMatch(/^[A-Z2-7]{32}$/)
    const confirm = setup.form(`${factorsPath}/app/confirm`)
    const refused = await browser.submit(confirm, { code: '000000' })
    expect([refused.status, secretIn(refused)]).toEqual([422, secretIn(setup)])
    expect((await fillSignIn(newBrowser(app), alice.email)).location).toBe('/')

    const code = codeOf(app, secretIn(setup))
    const done = await browser.submit(confirm, { code: `${code.slice(0, 3)} ${code.slice(3)}` })
    expect(codesIn(done)).toHaveLength(10)
    expect(new Set(codesIn(done)).size).toBe(10)
    expect((await fillSignIn(newBrowser(app), alice.email)).location).toBe(step)
    await app.settle()
    expect(mailsTo(app, alice).map(({ subject }) => subject)).toEqual([
      `Sign-in with codes turned on: @${alice.username} on chat.example`,
    ])
  })

  test('neither secret nor recovery codes lie in the database, and pages show them once [AUTH-9]', async () => {
    const { browser, secret, recoveryCodes } = await protectedPerson()
    const kept = (await dumpDatabase(app.ctx)).toLowerCase()
    expect(kept).not.toContain(secret.toLowerCase())
    for (const code of recoveryCodes) {
      expect(kept).not.toContain(code)
      expect(kept).not.toContain(code.replaceAll('-', ''))
    }
    const page = await browser.get(factorsPath)
    expect([secret, ...recoveryCodes].filter((text) => page.text.includes(text))).toEqual([])
  })

  test('the proof of the password holds for ten minutes, in this session only', async () => {
    const [alice, bob] = [await personWithPassword(app, 'alice'), await personWithPassword(app, 'bob')]
    const browser = await signedIn(app, alice)
    const page = await unlock(browser)
    const other = await signedIn(app, alice)
    const bobs = await signedIn(app, bob)
    for (const thief of [other, bobs]) {
      thief.cookies.set('__Host-stonechat_proof', browser.cookies.get('__Host-stonechat_proof')!)
      expect((await thief.get(factorsPath)).forms.some(({ action }) => action.endsWith('/app'))).toBe(false)
    }
    app.clock.advance(minutes(11))
    const late = await browser.submit(page.form(`${factorsPath}/app`))
    expect([late.status, late.location]).toEqual([303, `${factorsPath}?notice=locked`])
  })
})

describe('signing in', () => {
  test('the password alone opens nothing; the code opens a new session [AUTH-11]', async () => {
    const { person, secret } = await protectedPerson()
    const { browser, page } = await halfSignedIn(person.email)
    const attempt = browser.cookies.get(attemptName)!
    expect(browser.cookies.has(sessionName)).toBe(false)
    expect((await browser.get('/auth/edit')).status).toBe(303)
    expect((await browser.get(factorsPath)).location).toMatch(/^\/auth\/sign_in/)
    const wrong = await browser.submit(page.form(step), { code: '123456' })
    expect([wrong.status, browser.cookies.has(sessionName)]).toEqual([422, false])
    const right = await browser.submit(wrong.form(step), { code: codeOf(app, secret) })
    expect([right.status, right.location]).toEqual([303, '/'])
    expect(browser.cookies.get(sessionName)).toMatch(/^[\w-]{43}$/)
    expect(browser.cookies.has(attemptName)).toBe(false)
    expect((await browser.get('/auth/edit')).status).toBe(200)
    // What was waited with is worth nothing once it led somewhere.
    const out = await browser.submit((await browser.get('/auth/edit')).form('/auth/sign_out'))
    expect(out.status).toBe(303)
    browser.cookies.set(attemptName, attempt)
    expect((await browser.get(step)).location).toBe('/auth/sign_in')
  })

  test('the attempt belongs to one browser, for ten minutes, and to this password [AUTH-11]', async () => {
    const { person, secret } = await protectedPerson()
    const { browser } = await halfSignedIn(person.email)
    const thief = newBrowser(app)
    await thief.get('/auth/sign_in')
    thief.cookies.set(attemptName, browser.cookies.get(attemptName)!)
    expect((await thief.get(step)).location).toBe('/auth/sign_in')
    expect((await browser.get(step)).status).toBe(200)
    app.clock.advance(minutes(10) + 1)
    expect((await browser.get(step)).location).toBe('/auth/sign_in')

    const { browser: other, page } = await halfSignedIn(person.email)
    await sql`update users set password_hash = '!' where id = ${person.userId}`.execute(app.ctx.db)
    const late = await other.submit(page.form(step), { code: codeOf(app, secret) })
    expect([late.location, other.cookies.has(sessionName)]).toEqual(['/auth/sign_in', false])
  })

  test('a code counts once, also for two at the same time, and none before it counts later [AUTH-13]', async () => {
    const { person, secret } = await protectedPerson()
    const tries = await Promise.all([halfSignedIn(person.email), halfSignedIn(person.email)])
    const code = codeOf(app, secret)
    const seen = await Promise.all(
      tries.map(({ browser, page }) => browser.submit(page.form(step), { code })),
    )
    expect(seen.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422])
    const { browser, page } = await halfSignedIn(person.email)
    expect((await browser.submit(page.form(step), { code })).status).toBe(422)
    expect((await browser.submit(page.form(step), { code: codeOf(app, secret, -1) })).status).toBe(422)
    expect((await browser.submit(page.form(step), { code: codeOf(app, secret, 2) })).status).toBe(422)
    expect((await browser.submit(page.form(step), { code: codeOf(app, secret, 1) })).status).toBe(303)
  })

  test('wrong codes are limited for an account, from wherever they come [AUTH-13]', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXY_IP: '127.0.0.1' } })
    try {
      const alice = await personWithPassword(limited, 'alice')
      const { secret } = await turnOnApp(limited, await signedIn(limited, alice))
      const attempts = []
      for (let index = 0; index < 2; index++) {
        const browser = newBrowser(limited)
        attempts.push({
          browser,
          page: await browser.get((await fillSignIn(browser, alice.email)).location!),
        })
      }
      const statuses: number[] = []
      for (let index = 0; index < 18; index++) {
        const { browser, page } = attempts[index % 2]!
        const headers = { 'x-forwarded-for': `203.0.113.${index}` }
        const code = index % 3 ? '123456' : 'aaaa-bbbb-cccc-dddd'
        statuses.push((await browser.submit(page.form(step), { code }, headers)).status)
      }
      expect(statuses).toEqual([...Array<number>(15).fill(422), ...Array<number>(3).fill(429)])
      const { browser, page } = attempts[0]!
      expect((await browser.submit(page.form(step), { code: codeOf(limited, secret) })).status).toBe(429)
      await limited.settle()
      const subject = `Many wrong codes at sign-in: @${alice.username} on chat.example`
      expect(mailsTo(limited, alice).filter((mail) => mail.subject === subject)).toHaveLength(1)
    } finally {
      await limited.close()
    }
  })

  test('changes of second factors, each of which is a mail, are limited for an account [AUTH-17]', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on' } })
    try {
      const browser = await signedIn(limited, await personWithPassword(limited, 'alice'))
      await turnOnApp(limited, browser)
      const form = (await browser.get(factorsPath)).form(`${factorsPath}/recovery-codes`)
      const statuses: number[] = []
      for (let index = 0; index < 60; index++) statuses.push((await browser.submit(form)).status)
      expect([...new Set(statuses)]).toEqual([200, 429])
    } finally {
      await limited.close()
    }
  })

  test('whether somebody has a second factor is told to nobody without the password [AUTH-15]', async () => {
    const { person } = await protectedPerson()
    const plain = await personWithPassword(app, 'plain')
    for (const one of [person, plain]) await hashAsChosen(app, one)
    const attempt = async (name: string) => {
      const began = process.cpuUsage()
      const seen = await fillSignIn(newBrowser(app), name, 'wrong password')
      const { user, system } = process.cpuUsage(began)
      const text = seen.text.replaceAll(name, 'NAME').replaceAll(/value="[\w-]{86}"/g, '')
      // Of the processor: a busy machine does not tell on anybody.
      return { time: user + system, status: seen.status, text }
    }
    const times: number[][] = [[], [], []]
    for (let round = 0; round < 4; round++) {
      const seen = []
      for (const name of [person.email, plain.email, 'nobody@mail.example']) seen.push(await attempt(name))
      for (const [index, { time }] of seen.entries()) times[index]!.push(time)
      expect(seen[0]!.status).toBe(422)
      for (const one of seen) expect({ ...one, time: 0 }).toEqual({ ...seen[0]!, time: 0 })
    }
    const fastest = times.map((some) => Math.min(...some))
    expect(Math.max(...fastest) / Math.min(...fastest)).toBeLessThan(2.5)
  })

  test('leads back into the authorisation of an application', async () => {
    const { person, secret } = await protectedPerson()
    const client = await registerClient(app)
    const path = authorizePath(client)
    const asked = await newBrowser(app).get(path)
    const { browser, page } = await halfSignedIn(person.email, asked.location!)
    expect(page.headers.get('content-security-policy')).not.toContain('form-action')
    const done = await browser.submit(page.form(step), { code: codeOf(app, secret) })
    const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]))
    const led = new URL(done.location!, app.baseUrl)
    expect([led.pathname, Object.fromEntries(led.searchParams)]).toEqual(['/oauth/authorize', query])
    expect((await browser.get(done.location!)).form('/oauth/authorize').action).toBe('/oauth/authorize')
  })

  test('a new password by mail does not take the place of the second factor', async () => {
    const { person, secret } = await protectedPerson()
    const browser = newBrowser(app)
    await browser.submit((await browser.get('/auth/password/new')).form('/auth/password'), {
      email: person.email,
    })
    await app.settle()
    const mail = mailsTo(app, person).find(({ text }) => text.includes('reset_password_token'))!
    const path = /\/auth\/password\/edit\?reset_password_token=[\w.-]+/.exec(mail.text)![0]
    const changed = await browser.submit((await browser.get(path)).form('/auth/password'), {
      password: 'another good one',
    })
    expect([changed.status, browser.cookies.has(sessionName)]).toEqual([200, false])
    expect((await fillSignIn(browser, person.email, 'another good one')).location).toBe(step)
    const page = await browser.get(step)
    expect((await browser.submit(page.form(step), { code: codeOf(app, secret) })).status).toBe(303)
  })

  test('the password grant refuses, as for a wrong password', async () => {
    const { person } = await protectedPerson()
    const client = await registerClient(app)
    const ask = (secret: string) =>
      askToken(app, client, { grant_type: 'password', username: person.email, password: secret })
    const right = await ask(password)
    expect([right.status, right.body.error]).toEqual([400, 'invalid_grant'])
    expect(right.body).toEqual((await ask('wrong')).body)
  })

  test('speaks German, and escapes what is odd', async () => {
    const { person } = await protectedPerson()
    const { browser } = await halfSignedIn(person.email)
    const page = await browser.get(`${step}?lang=de`)
    expect(page.text).toContain('Code aus deiner App oder ein Wiederherstellungscode')
    for (const code of ['', '\0', '"><script>alert(1)</script>', 'x'.repeat(5000), '١٢٣٤٥٦']) {
      const seen = await browser.submit(page.form(step), { code })
      expect([seen.status, seen.text.includes('<script')]).toEqual([422, false])
    }
  })
})

describe('recovery codes', () => {
  test('each opens once, however it is typed, and the user is told [AUTH-13]', async () => {
    const { person, recoveryCodes } = await protectedPerson()
    await app.settle()
    app.mails.length = 0
    const [first = '', second = ''] = recoveryCodes
    const enter = async (code: string) => {
      const { browser, page } = await halfSignedIn(person.email)
      return (await browser.submit(page.form(step), { code })).status
    }
    expect(await enter(` ${first.toUpperCase().replaceAll('-', ' ')}`)).toBe(303)
    expect([await enter(first), await enter(second), await enter(second)]).toEqual([422, 303, 422])
    await app.settle()
    const subject = `A recovery code was used: @${person.username} on chat.example`
    expect(mailsTo(app, person).map((mail) => mail.subject)).toEqual([subject, subject])
  })

  test('of others do not open; new ones end the old', async () => {
    const [alice, bob] = [await protectedPerson(), await protectedPerson()]
    const enter = async (code: string) => {
      const { browser, page } = await halfSignedIn(alice.person.email)
      return (await browser.submit(page.form(step), { code })).status
    }
    expect(await enter(bob.recoveryCodes[0]!)).toBe(422)
    const page = await alice.browser.get(factorsPath)
    expect(page.text).toContain('10 recovery codes are left')
    const renewed = await alice.browser.submit(page.form(`${factorsPath}/recovery-codes`))
    const fresh = codesIn(renewed)
    expect([await enter(alice.recoveryCodes[0]!), await enter(fresh[0]!)]).toEqual([422, 303])
    expect((await alice.browser.get(factorsPath)).text).toContain('9 recovery codes are left')
  })
})

describe('turning off', () => {
  test('takes the recovery codes with it, and is told by mail in the language of its reader', async () => {
    const { person, browser } = await protectedPerson()
    await setLocale(app, person, 'de')
    const page = await browser.get(factorsPath)
    const done = await browser.submit(page.form(`${factorsPath}/app/remove`))
    expect([done.status, done.location]).toEqual([303, factorsPath])
    expect((await fillSignIn(newBrowser(app), person.email)).location).toBe('/')
    const { rows } = await sql`
      select 1 from recovery_codes where user_id = ${person.userId}
      union all select 1 from users where id = ${person.userId} and otp_secret_sealed is not null`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([])
    await app.settle()
    expect(mailsTo(app, person).map(({ subject }) => subject)).toContain(
      `Anmeldung mit Codes ausgeschaltet: @${person.username} auf chat.example`,
    )
  })

  test('is not possible without the password', async () => {
    const { person, browser } = await protectedPerson()
    app.clock.advance(minutes(11))
    const token = (await browser.get(factorsPath)).form('/auth/sign_out').fields
    for (const path of [
      '/app',
      '/app/remove',
      '/app/confirm',
      '/recovery-codes',
      '/passkeys',
      '/passkeys/1/remove',
    ]) {
      const seen = await browser.post(factorsPath + path, token)
      expect([path, seen.location]).toEqual([path, `${factorsPath}?notice=locked`])
    }
    expect((await fillSignIn(newBrowser(app), person.email)).location).toBe(step)
  })

  test('another app takes the place of the first, and its codes end', async () => {
    const { person, browser, secret } = await protectedPerson()
    const again = await turnOnApp(app, browser)
    expect([again.secret === secret, again.recoveryCodes]).toEqual([false, []])
    const { browser: other, page } = await halfSignedIn(person.email)
    expect((await other.submit(page.form(step), { code: codeOf(app, secret) })).status).toBe(422)
    expect((await other.submit(page.form(step), { code: codeOf(app, again.secret) })).status).toBe(303)
  })
})
