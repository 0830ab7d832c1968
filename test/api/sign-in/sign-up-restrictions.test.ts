// Who gets in, and who only with approval: addresses, e-mail, names, and how many a day.
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test, onTestFinished } from 'vitest'
import { createCanonicalEmailBlock } from '#domain/identity/sign-up-restrictions/canonical-email-blocks.ts'
import {
  createEmailDomainBlock,
  listEmailDomainBlocks,
} from '#domain/identity/sign-up-restrictions/email-domain-blocks.ts'
import type { IpSeverity } from '#domain/identity/sign-up-restrictions/find-ip-block.ts'
import { createIpBlock } from '#domain/identity/sign-up-restrictions/ip-blocks.ts'
import {
  createUsernameBlock,
  type UsernameBlockTerms,
} from '#domain/identity/sign-up-restrictions/username-blocks.ts'
import { requireApprovalWithoutStaff } from '#domain/identity/accounts/registration/require-approval.ts'
import { readSettings, setSetting } from '#domain/server/instance/settings.ts'
import { liftLimit } from '#domain/trust/moderation/account-limits.ts'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import { useApp } from '#test/app/app.ts'
import type { Answer } from '#test/client/client.ts'
import { days, hours } from '#test/app/clock.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { mailedPath, makeSignUpApp, registration, signUp, type SignUpApp } from '#test/people/registration.ts'

const app = useApp()
// Somebody runs the server: without any account it is not set up, and nobody can sign up.
beforeAll(() => app.person('host'))
let through: SignUpApp

beforeEach(async () => {
  through = await makeSignUpApp(app)
})

async function isApproved(username: string): Promise<boolean> {
  const { rows } = await sql<{ approved: boolean }>`
    select u.approved from users u join accounts a on a.id = u.account_id where a.username = ${username}`.execute(
    app.ctx.db,
  )
  return rows[0]!.approved
}

const tryEmail = (email: string) => through.post('/api/v1/accounts', registration({ email }))
const outcome = ({ status, body }: Answer) => [status, body.details]
const blockDomain = (domain: string, more: object = {}) =>
  createEmailDomainBlock(app.ctx, 'operator', { domain, ...more })
const emailProblem = (error: string, description: string) => [422, { email: [{ error, description }] }]
const blocked = emailProblem('ERR_BLOCKED', 'uses a disallowed e-mail provider')
const unreachable = emailProblem('ERR_UNREACHABLE', 'does not seem to exist')

let addresses = 0
/** Each test has addresses of its own. */
const newAddress = () => `203.0.113.${++addresses}`
const from = (address: string) => ({ 'x-forwarded-for': address })
const blockAddress = (ip: string, severity: IpSeverity, more: object = {}) =>
  createIpBlock(app.ctx, 'operator', { ip, severity, ...more })

describe('e-mail', () => {
  test('of a blocked domain, and of those below it, is refused', async () => {
    await blockDomain('blocked.example')
    for (const domain of ['blocked.example', 'BLOCKED.Example', 'sub.blocked.example'])
      expect([domain, ...outcome(await tryEmail(`x@${domain}`))]).toEqual([domain, ...blocked])
    for (const domain of ['unblocked.example', 'notblocked.example'])
      expect([domain, (await tryEmail(`x@${domain}`)).status]).toEqual([domain, 200])
  })

  test('that a blocked host takes is refused: by its name, those above it, and its address', async () => {
    await blockDomain('mailhost.example')
    await blockDomain('198.18.7.7')
    app.dns.set('cover1.example', { mx: ['MX3.mailhost.example.'] })
    app.dns.set('cover2.example', { mx: ['innocent.example'] })
    app.dns.set('innocent.example', { addresses: ['198.18.7.6', '198.18.7.7'] })
    app.dns.set('cover3.example', { addresses: ['198.18.7.7'] })
    app.dns.set('fine.example', { mx: ['other.example'] })
    for (const domain of ['cover1.example', 'cover2.example', 'cover3.example'])
      expect([domain, ...outcome(await tryEmail(`x@${domain}`))]).toEqual([domain, ...blocked])
    expect((await tryEmail('x@fine.example')).status).toBe(200)
  })

  test('is refused also where a blocked host stands behind many, or has a name that is none', async () => {
    await blockDomain('hidden.example')
    const many = Array.from({ length: 30 }, (_, index) => `mx${index}.front.example`)
    app.dns.set('behind.example', { mx: [...many, 'mx.hidden.example'] })
    app.dns.set('odd.example', { mx: ['-mx-.HIDDEN.example.'] })
    for (const domain of ['behind.example', 'odd.example'])
      expect([domain, ...outcome(await tryEmail(`x@${domain}`))]).toEqual([domain, ...blocked])
  })

  test('that cannot get anywhere is refused', async () => {
    app.dns.set('missing.example', null)
    app.dns.set('no-mail.example', { mx: ['.'], addresses: ['192.0.2.1'] })
    app.dns.set('dead-host.example', { mx: ['gone.example'] })
    app.dns.set('gone.example', null)
    for (const domain of ['missing.example', 'no-mail.example', 'dead-host.example'])
      expect([domain, ...outcome(await tryEmail(`x@${domain}`))]).toEqual([domain, ...unreachable])
  })

  test('is taken where the name servers do not know this server either: they know nothing of the internet', async () => {
    app.dns.set('offline.example', null)
    app.dns.set('chat.example', null)
    onTestFinished(() => app.dns.set('chat.example', { addresses: ['9.9.9.9'] }))
    expect((await tryEmail('x@offline.example')).status).toBe(200)
    app.dns.set('chat.example', { addresses: ['127.0.0.1', '::1'] })
    expect((await tryEmail('y@offline.example')).status).toBe(200)
  })

  test('is taken when no name server answers, or not in time, but for what is known without them', async () => {
    await blockDomain('known.example')
    for (const [domain, entry] of [
      ['fails.example', { fails: true }],
      ['known.example', { fails: true }],
    ] as const)
      app.dns.set(domain, entry)
    expect((await tryEmail('x@fails.example')).status).toBe(200)
    expect(outcome(await tryEmail('x@known.example'))).toEqual(blocked)
    app.dns.set('hangs.example', { hangs: true })
    expect((await tryEmail('x@hangs.example')).status).toBe(200)
  })

  test('asks no name server about what is no address, or is refused anyway', async () => {
    await blockDomain('quiet.example')
    app.dns.asked.length = 0
    await tryEmail('not an address')
    await tryEmail('x@quiet.example')
    expect(app.dns.asked).toEqual([])
  })

  test('of a domain that wants approval waits for it, and a blocked one is refused all the same', async () => {
    await blockDomain('maybe.example', { allowWithApproval: true })
    const { username } = await signUp(app, through, { email: 'one@maybe.example' })
    expect(await isApproved(username)).toBe(false)
    await blockDomain('sub.maybe.example')
    expect(outcome(await tryEmail('x@sub.maybe.example'))).toEqual(blocked)
  })

  test('that met a block is counted: tries, and from how many places they came', async () => {
    const { id } = await blockDomain('counted.example')
    const [here, there] = [newAddress(), newAddress()]
    for (const address of [here, here, there])
      await through.post('/api/v1/accounts', registration({ email: 'x@counted.example' }), from(address))
    const historyOf = async () => {
      const { items } = await listEmailDomainBlocks(app.ctx, { limit: 100 })
      return items.find((block) => block.id === id)!.history
    }
    const today = await historyOf()
    expect(today[0]).toMatchObject({ uses: 3, accounts: 2 })
    app.clock.advance(days(1))
    await tryEmail('x@counted.example')
    expect((await historyOf()).slice(0, 2)).toMatchObject([{ uses: 1 }, { uses: 3, accounts: 2 }])
    app.clock.advance(days(7))
    expect((await historyOf()).every(({ uses }) => uses === 0)).toBe(true)
    app.clock.advance(-days(8))
  })

  test('that was blocked is known again in other spellings', async () => {
    await createCanonicalEmailBlock(app.ctx, 'operator', { email: 'bad.person@mail.example' })
    const spellings = ['badperson@mail.example', 'Bad.Person+new@MAIL.example', 'bad.person@ｍａｉｌ.example']
    for (const email of spellings)
      expect([email, ...outcome(await tryEmail(email))]).toEqual([email, ...blocked])
    expect((await tryEmail('bad.person@other.example')).status).toBe(200)
  })

  test('of a suspended account does not come back, until it is let in again', async () => {
    const alice = await app.person('alice')
    const again = alice.email.replace('@', '+again@')
    const suspend = async (at: Date | null) => {
      await app.ctx.transaction(async (tx) => {
        await sql`
          update accounts set suspended_at = ${at}, version = version + 1 where id = ${alice.accountId}`.execute(
          tx.db,
        )
        const type = at ? 'account.suspended' : 'account.unsuspended'
        await tx.emit({ type, accountId: alice.accountId })
      })
      await app.settle()
    }
    await suspend(new Date(app.clock.now()))
    expect(outcome(await tryEmail(again))).toEqual(blocked)
    await suspend(null)
    expect((await tryEmail(again)).status).toBe(200)
  })

  test('of two suspended accounts stays away while one of them is', async () => {
    const suspended = await Promise.all(
      ['+one', '+two'].map(async (tag) => {
        const { accountId, userId } = await app.person('twin')
        const email = `twin${tag}@mail.example`
        await sql`update users set email = ${email}, email_canonical = 'twin@mail.example' where id = ${userId}`.execute(
          app.ctx.db,
        )
        return accountId
      }),
    )
    for (const accountId of suspended) await takeAction(app.ctx, 'operator', accountId, { type: 'suspend' })
    await app.settle()
    for (const accountId of suspended) {
      expect(outcome(await tryEmail('twin@mail.example'))).toEqual(blocked)
      await liftLimit(app.ctx, 'operator', accountId, 'suspend')
      await app.settle()
    }
    expect((await tryEmail('twin@mail.example')).status).toBe(200)
  })

  test('is looked at when somebody changes it, too [AUTH-17]', async () => {
    await blockDomain('changed.example')
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    const change = async (email: string) => {
      const form = (await browser.get('/auth/edit')).forms.find((one) => 'email' in one.fields)!
      return browser.submit(form, { email, email_current_password: 'correct horse battery' })
    }
    const refused = await change('alice@changed.example')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Addresses of this provider are not taken here.')
    const newcomer = await signUp(app, through)
    const corrected = await newcomer.post('/api/v1/emails/confirmations', { email: 'x@changed.example' })
    expect(outcome(corrected)).toEqual(blocked)
    // Nor does approval go away by correcting it.
    await blockDomain('careful.example', { allowWithApproval: true })
    ;(await newcomer.post('/api/v1/emails/confirmations', { email: 'x@careful.example' })).ok()
    expect(await isApproved(newcomer.username)).toBe(false)
  })
})

describe('names', () => {
  const block = (username: string, more: UsernameBlockTerms = {}) =>
    createUsernameBlock(app.ctx, 'operator', { username, ...more })
  const tryName = async (username: string) =>
    outcome(await through.post('/api/v1/accounts', registration({ username })))
  const reserved = [422, { username: [{ error: 'ERR_RESERVED', description: 'is reserved' }] }]

  test('that are blocked are refused, whatever stands for their letters [AUTH-20]', async () => {
    await block('walrus')
    for (const name of ['walrus', 'WALRUS', 'w4lru5', 'wa1rus', 'w_a_l_r_u_s'])
      expect([name, ...(await tryName(name))]).toEqual([name, ...reserved])
    expect((await tryName('walruses'))[0]).toBe(200)
  })

  test('that contain a blocked word are refused, or wait for approval [AUTH-20]', async () => {
    await block('pills', { comparison: 'contains' })
    for (const name of ['cheap_pills', 'P1115', 'my_pi1l5_4u'])
      expect([name, ...(await tryName(name))]).toEqual([name, ...reserved])
    expect((await tryName('spill'))[0]).toBe(200)
    await block('casino', { comparison: 'contains', allowWithApproval: true })
    const { username } = await signUp(app, through, { username: 'the_c4s1n0' })
    expect(await isApproved(username)).toBe(false)
  })

  test('that are reserved anyway are told so once', async () => {
    await block('administrator')
    expect(await tryName('adm1nistrator')).toEqual(reserved)
  })
})

describe('places', () => {
  const signUpFrom = (address: string) => through.post('/api/v1/accounts', registration(), from(address))

  test('from which nobody signs up, and from which they wait for approval', async () => {
    const [closed, careful, free] = [newAddress(), newAddress(), newAddress()]
    await blockAddress(closed, 'sign_up_block')
    await blockAddress(careful, 'sign_up_requires_approval')
    const refused = await signUpFrom(closed)
    expect([refused.status, refused.body]).toEqual([403, { error: 'This action is not allowed' }])
    const given = registration()
    ;(await through.post('/api/v1/accounts', given, from(careful))).ok()
    expect(await isApproved(given.username)).toBe(false)
    expect((await signUpFrom(free)).status).toBe(200)
    // Everything else is open to them.
    expect((await app.fetch('/api/v2/instance', { headers: from(closed) })).status).toBe(200)
    const browser = newBrowser(app)
    const form = (await browser.get('/auth/sign_up')).form('/auth/sign_up')
    const { username, email } = registration()
    const fields = { username, email, password: 'correct horse battery', agreement: '1' }
    const page = await browser.submit(form, fields, from(closed))
    expect([page.status, page.text.includes('takes no new people')]).toEqual([403, true])
  })

  test('the strictest of several holds', async () => {
    await blockAddress('203.0.112.0/24', 'sign_up_requires_approval')
    await blockAddress('203.0.112.128/25', 'sign_up_block')
    expect((await signUpFrom('203.0.112.200')).status).toBe(403)
    expect((await signUpFrom('203.0.112.100')).status).toBe(200)
  })

  const everything: readonly [string, RequestInit?][] = [
    ['/api/v1/instance'],
    ['/api/v1/timelines/public'],
    ['/api/v1/accounts/verify_credentials', { headers: { authorization: 'Bearer nonsense' } }],
    ['/'],
    ['/auth/sign_in'],
    ['/.well-known/webfinger?resource=acct:nobody@chat.example'],
    ['/users/nobody/inbox', { method: 'POST', body: '{}' }],
    ['/oauth/token', { method: 'POST' }],
    ['/instance/icon-48.png'],
    ['/nowhere'],
    ['/health'],
    ['/api/v1/instance', { method: 'OPTIONS' }],
  ]

  test('to which everything is closed', async () => {
    await blockAddress('203.0.111.0/24', 'no_access')
    await blockAddress('2001:db8:111::/48', 'no_access')
    for (const address of ['203.0.111.9', '::ffff:203.0.111.9', '2001:db8:111:2::3'])
      for (const [path, init = {}] of everything) {
        const headers = { ...(init.headers as Record<string, string>), ...from(address) }
        const answer = await app.fetch(path, { ...init, headers })
        expect([address, path, answer.status]).toEqual([address, path, 403])
      }
    for (const address of ['203.0.110.255', '203.0.112.0', '2001:db8:112::1']) {
      const answer = await app.fetch('/api/v1/instance', { headers: from(address) })
      expect([address, answer.status]).toEqual([address, 200])
    }
  })

  test('what others invent of proxies opens nothing [AUTH-16]', async () => {
    const address = newAddress()
    await blockAddress(address, 'no_access')
    for (const forwarded of [address, `1.2.3.4, ${address}`, `127.0.0.1,${address}`, `${address}:4711`]) {
      const answer = await app.fetch('/api/v1/instance', { headers: from(forwarded) })
      expect([forwarded, answer.status]).toEqual([forwarded, 403])
    }
  })

  test('stay shut while what was said of them cannot be read, which is told once', async () => {
    const address = newAddress()
    const status = async () => (await app.fetch('/health', { headers: from(address) })).status
    const told = () => app.logLines.filter(({ message }) => message.includes('blocks of addresses')).length
    await blockAddress(address, 'no_access')
    expect(await status()).toBe(403)
    await sql`alter table ip_blocks rename to unreadable_blocks`.execute(app.ctx.db)
    for (const advance of [6_000, 6_000]) {
      app.clock.advance(advance)
      expect([await status(), told()]).toEqual([403, 1])
    }
    await sql`alter table unreadable_blocks rename to ip_blocks`.execute(app.ctx.db)
    await sql`delete from ip_blocks where ip = ${address}::cidr`.execute(app.ctx.db)
    app.clock.advance(6_000)
    expect([await status(), told()]).toEqual([200, 1])
  })

  test('are open again when a block ends or is lifted elsewhere, within seconds, and nothing is asked meanwhile', async () => {
    const address = newAddress()
    const status = async () => (await app.fetch('/health', { headers: from(address) })).status
    await blockAddress(address, 'no_access', { expiresIn: 3600 })
    expect(await status()).toBe(403)
    app.clock.advance(hours(1))
    expect(await status()).toBe(200)
    // Another process does this: nobody tells this one.
    await sql`
      update ip_blocks set expires_at = null, updated_at = ${new Date(app.clock.now())}
      where ip = ${address}::cidr`.execute(app.ctx.db)
    app.clock.advance(6_000)
    expect(await status()).toBe(403)
    // The clock of another machine may be behind.
    await sql`
      update ip_blocks set severity = 'sign_up_block', updated_at = updated_at - interval '1 hour'
      where ip = ${address}::cidr`.execute(app.ctx.db)
    app.clock.advance(6_000)
    expect(await status()).toBe(200)
    await sql`
      update ip_blocks set severity = 'no_access', updated_at = updated_at - interval '1 hour'
      where ip = ${address}::cidr`.execute(app.ctx.db)
    app.clock.advance(6_000)
    expect(await status()).toBe(403)
    await sql`delete from ip_blocks where ip = ${address}::cidr`.execute(app.ctx.db)
    app.clock.advance(6_000)
    expect(await status()).toBe(200)
    const asked = await app.countQueries(async () => {
      for (let index = 0; index < 20; index++) await app.fetch('/nowhere', { headers: from(address) })
    })
    expect(asked).toEqual([])
    app.clock.advance(-hours(1) - 24_000)
  })
})

describe('days', () => {
  const instance = async () => (await app.anonymous.get('/api/v2/instance')).ok().registrations

  async function recent(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from users
      where created_at > ${new Date(app.clock.now() - days(1))}`.execute(app.ctx.db)
    return rows[0]!.count
  }

  test('take so many people and no more, however many come at once, and the next one takes others', async () => {
    await setSetting(app.ctx, 'sign_ups_per_day', (await recent()) + 2)
    app.clock.advance(6_000)
    expect((await instance()).enabled).toBe(true)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => through.post('/api/v1/accounts', registration())),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403, 403, 403, 403])
    expect(answers.find(({ status }) => status === 403)!.body.error).toContain('no more new people today')
    app.clock.advance(6_000)
    expect((await instance()).enabled).toBe(false)
    expect((await app.anonymous.get('/api/v1/instance')).ok().registrations).toBe(false)
    const page = await newBrowser(app).get('/auth/sign_up')
    expect([page.status, page.text.includes('no more new people today')]).toEqual([403, true])
    app.clock.advance(days(1))
    expect((await instance()).enabled).toBe(true)
    await signUp(app, through)
    await setSetting(app.ctx, 'sign_ups_per_day', null)
  })
})

describe('staff who are away', () => {
  const mode = async () => (await readSettings(app.ctx)).registrations_mode
  const removeStaff = () => sql`update users set role_id = null`.execute(app.ctx.db)

  test('for a week: people wait for approval from then on, and staff are told', async () => {
    await removeStaff()
    await setSetting(app.ctx, 'registrations_mode', 'open')
    const [admin, moderator] = [
      await app.person('admin', { role: 'Admin' }),
      await app.person('moderator', { role: 'Moderator' }),
    ]
    app.clock.advance(days(6))
    await moderator.get('/api/v1/accounts/verify_credentials')
    app.clock.advance(days(6))
    expect(await requireApprovalWithoutStaff(app.ctx)).toBe(false)
    expect(await mode()).toBe('open')
    app.clock.advance(days(2))
    app.mails.length = 0
    expect(await requireApprovalWithoutStaff(app.ctx)).toBe(true)
    expect(await mode()).toBe('approved')
    await app.settle()
    const told = app.mails.filter(({ subject }) => subject.includes('wants approval now'))
    expect(told.map(({ to }) => to).toSorted()).toEqual([admin.email, moderator.email].toSorted())
    const { rows } = await sql`
      select actor, action, target_label, details from audit_log order by id desc limit 1`.execute(app.ctx.db)
    expect(rows[0]).toMatchObject({
      actor: 'server',
      action: 'update',
      target_label: 'registrations_mode',
      details: { from: 'open', to: 'approved' },
    })
    // Once is enough.
    expect(await requireApprovalWithoutStaff(app.ctx)).toBe(false)
    const { username } = await signUp(app, through)
    expect(await isApproved(username)).toBe(false)
    await setSetting(app.ctx, 'registrations_mode', 'open')
  })

  test('do not matter where there never were any, where nobody wants it so, and where it is closed', async () => {
    await removeStaff()
    app.clock.advance(days(30))
    expect(await requireApprovalWithoutStaff(app.ctx)).toBe(false)
    await app.person('admin', { role: 'Admin' })
    app.clock.advance(days(30))
    await setSetting(app.ctx, 'registrations_need_staff', false)
    expect(await requireApprovalWithoutStaff(app.ctx)).toBe(false)
    await setSetting(app.ctx, 'registrations_need_staff', true)
    await setSetting(app.ctx, 'registrations_mode', 'none')
    expect(await requireApprovalWithoutStaff(app.ctx)).toBe(false)
    expect(await mode()).toBe('none')
    await setSetting(app.ctx, 'registrations_mode', 'open')
  })
})

test('who waits for approval and confirms is told of to staff', async () => {
  const admin = await app.person('admin', { role: 'Admin' })
  await blockDomain('tell.example', { allowWithApproval: true })
  const { email, username } = await signUp(app, through, { email: 'new@tell.example' })
  await app.fetch(await mailedPath(app, email))
  await app.settle()
  const told = app.mails.filter(({ to, subject }) => to === admin.email && subject.includes(username))
  expect(told).toHaveLength(1)
})
