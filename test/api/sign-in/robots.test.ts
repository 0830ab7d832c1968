import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { solveChallenge } from 'altcha-lib/v1'
import { decode } from 'html-entities'
import { startApp, type TestApp } from '#test/app/app.ts'
import type { Seen } from '#test/client/browser.ts'
import { newBrowser } from '#test/people/sign-in.ts'

const proof = '/auth/confirmation/proof'
let number = 0

/** Signs up and opens the link of the mail. */
async function follow(app: TestApp) {
  number += 1
  const [username, email] = [`robin${number}`, `robin${number}@mail.example`]
  const browser = newBrowser(app)
  const form = (await browser.get('/auth/sign_up')).form('/auth/sign_up')
  await browser.submit(form, { username, email, password: 'correct horse battery', agreement: '1' })
  await app.settle()
  const mail = app.mails.find(({ to }) => to === email)!
  const link = /\/auth\/confirmation\?confirmation_token=[^\s"]+/.exec(mail.text)![0]
  const page = await browser.get(link)
  const state = async () =>
    app.ctx.db
      .selectFrom('users')
      .select(['confirmed_at', 'approved'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  return { browser, page, state }
}

/** Does the work that a page asks for. */
async function solve(page: Seen): Promise<string> {
  const work = JSON.parse(decode(/data-work="([^"]+)"/.exec(page.text)![1]!))
  const found = await solveChallenge(work.challenge, work.salt, work.algorithm, work.maxnumber).promise
  const { algorithm, challenge, salt, signature } = work
  return btoa(JSON.stringify({ algorithm, challenge, salt, signature, number: found!.number }))
}

describe('a proof of work', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ env: { ALTCHA_ENABLED: 'true', ALTCHA_MAX_NUMBER: '1000' } })
    // Without any account nobody can sign up.
    await app.person('host')
  })
  afterAll(() => app?.close())

  test('lets a new person in, once it is done', async () => {
    const { browser, page, state } = await follow(app)
    expect((await state()).confirmed_at).toBeNull()
    const altcha = await solve(page)
    const { without: _, ...fields } = page.form(proof).fields
    expect((await browser.post(proof, { ...fields, altcha })).status).toBe(200)
    expect(await state()).toMatchObject({ confirmed_at: expect.any(Date), approved: true })
  })

  test('wrong, missing, foreign and old work lets nobody in', async () => {
    const one = await follow(app)
    const other = await follow(app)
    const own = await solve(one.page)
    const { without: _, ...fields } = one.page.form(proof).fields
    const forged = btoa(JSON.stringify({ ...JSON.parse(atob(own)), number: -1 }))
    for (const altcha of ['', 'x', forged, await solve(other.page)]) {
      expect((await one.browser.post(proof, { ...fields, altcha })).status).toBe(422)
    }
    app.clock.advance(1_200_001)
    expect((await one.browser.post(proof, { ...fields, altcha: own })).status).toBe(422)
    expect((await one.state()).confirmed_at).toBeNull()
  })

  test('who has no scripts goes on without it, and waits for staff', async () => {
    const { browser, page, state } = await follow(app)
    const { fields } = page.form(proof)
    expect((await browser.post(proof, { ...fields, without: '1' })).text).toContain('staff')
    expect(await state()).toMatchObject({ confirmed_at: expect.any(Date), approved: false })
  })
})

describe('hCaptcha', () => {
  test('is asked through the guarded client, and its scripts stand on its page alone [CNT-23]', async () => {
    const app = await startApp({ env: { HCAPTCHA_SITE_KEY: 'site', HCAPTCHA_SECRET_KEY: 'secret' } })
    await app.person('host')
    try {
      const { browser, page, state } = await follow(app)
      expect(page.headers.get('content-security-policy')).toContain('script-src https://hcaptcha.com')
      const other = await browser.get('/auth/confirmation/new')
      expect(other.headers.get('content-security-policy')).not.toContain('hcaptcha')
      const { without: _, ...fields } = page.form(proof).fields
      const send = vi.spyOn(app.ctx.http, 'send')
      const answers = async (success: boolean | null) => {
        const body = Buffer.from(JSON.stringify({ success }))
        const status = success === null ? 500 : 200
        send.mockResolvedValueOnce({ status, url: '', headers: new Headers(), body })
        return (await browser.post(proof, { ...fields, 'h-captcha-response': 'token' })).status
      }
      expect([await answers(false), await answers(null)]).toEqual([422, 503])
      expect((await state()).confirmed_at).toBeNull()
      expect(await answers(true)).toBe(200)
      expect((await state()).confirmed_at).not.toBeNull()
      expect(send.mock.calls[0]?.[0]).toMatchObject({
        url: 'https://api.hcaptcha.com/siteverify',
        body: expect.stringContaining('secret=secret&response=token'),
      })
    } finally {
      await app.close()
    }
  })
})
