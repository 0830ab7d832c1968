// What staff write down about who may sign up and come in. What follows from it: sign-up-gates.test.ts.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { purgeIpBlocks } from '#domain/identity/sign-up-restrictions/ip-blocks.ts'
import { useApp } from '#test/app/app.ts'
import { hours, minutes } from '#test/app/clock.ts'

const app = useApp()
const emailDomains = '/api/v1/admin/email_domain_blocks'
const ips = '/api/v1/admin/ip_blocks'
const canonical = '/api/v1/admin/canonical_email_blocks'
const names = '/api/v1/admin/username_blocks'

const staff = () => app.person('staff', { role: 'Admin' })
const hashOf = (email: string) => createHash('sha256').update(email).digest('hex')

async function audited(targetType: string): Promise<{ action: string; label: string; actor: string }[]> {
  const { rows } = await sql<{ action: string; label: string; actor: string }>`
    select action, target_label as label, actor from audit_log where target_type = ${targetType}
    order by id desc limit 20`.execute(app.ctx.db)
  return rows
}

describe('e-mail domain blocks', () => {
  test('are made, shown and lifted, and written down', async () => {
    const admin = await staff()
    const made = (await admin.post(emailDomains, { domain: ' Throwaway.Example ' })).ok()
    expect(made).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      domain: 'throwaway.example',
      created_at: expect.any(String),
      allow_with_approval: false,
      parent_id: null,
    })
    const midnight = Math.floor(app.clock.now() / 86_400_000) * 86_400
    expect(made.history).toEqual(
      Array.from({ length: 7 }, (_, index) => ({
        day: String(midnight - index * 86_400),
        accounts: '0',
        uses: '0',
      })),
    )
    expect((await admin.get(`${emailDomains}/${made.id}`)).ok()).toEqual(made)
    expect((await admin.delete(`${emailDomains}/${made.id}`)).ok()).toEqual({})
    expect((await admin.get(`${emailDomains}/${made.id}`)).status).toBe(404)
    expect((await admin.delete(`${emailDomains}/${made.id}`)).status).toBe(404)
    expect((await audited('email_domain_block')).slice(0, 2)).toEqual([
      { action: 'destroy', label: 'throwaway.example', actor: 'staff' },
      { action: 'create', label: 'throwaway.example', actor: 'staff' },
    ])
  })

  test('are refused for what is no domain, and twice', async () => {
    const admin = await staff()
    for (const domain of [undefined, '', 'a b', 'x@y', 'https://x.example/', 'x.example:8080'])
      expect([domain, (await admin.post(emailDomains, { domain })).status]).toEqual([domain, 422])
    ;(await admin.post(emailDomains, { domain: 'twice.example' })).ok()
    const again = await admin.post(emailDomains, { domain: 'TWICE.example.' })
    expect([again.status, again.body.error]).toEqual([
      422,
      'Validation failed: Domain has already been taken',
    ])
  })

  test('bring others along, and end with them', async () => {
    const admin = await staff()
    app.dns.set('parent.example', { mx: ['mx1.shared.example', 'MX2.shared.example'] })
    const wanted = {
      domain: 'parent.example',
      other_domains: ['alias.example'],
      with_dns_records: true,
      allow_with_approval: true,
    }
    const parent = (await admin.post(emailDomains, wanted)).ok()
    const children = (await admin.get(emailDomains))
      .ok()
      .filter((block: { parent_id: string }) => block.parent_id === parent.id)
    expect(children.map((block: { domain: string }) => block.domain).toSorted()).toEqual([
      'alias.example',
      'mx1.shared.example',
      'mx2.shared.example',
    ])
    expect(children.every((block: { allow_with_approval: boolean }) => block.allow_with_approval)).toBe(true)
    ;(await admin.delete(`${emailDomains}/${parent.id}`)).ok()
    const left = (await admin.get(emailDomains)).ok().map((block: { id: string }) => block.id)
    for (const { id } of children) expect(left).not.toContain(id)
  })
})

describe('blocks of addresses', () => {
  test('are made, shown, changed and lifted, and written down', async () => {
    const admin = await staff()
    const terms = { ip: '198.51.100.77/24', severity: 'sign_up_block', comment: 'why', expires_in: 3600 }
    const made = (await admin.post(ips, terms)).ok()
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      ip: '198.51.100.0/24',
      severity: 'sign_up_block',
      comment: 'why',
      created_at: expect.any(String),
      expires_at: expect.any(String),
    })
    expect(Date.parse(made.expires_at) - app.clock.now()).toBeGreaterThan(3_500_000)
    expect((await admin.get(`${ips}/${made.id}`)).ok()).toEqual(made)
    const changed = (await admin.put(`${ips}/${made.id}`, { severity: 'sign_up_requires_approval' })).ok()
    expect(changed).toEqual({ ...made, severity: 'sign_up_requires_approval' })
    const endless = (await admin.put(`${ips}/${made.id}`, { expires_in: '', comment: '' })).ok()
    expect(endless).toEqual({ ...changed, expires_at: null, comment: '' })
    expect((await admin.delete(`${ips}/${made.id}`)).ok()).toEqual({})
    for (const answer of [
      await admin.get(`${ips}/${made.id}`),
      await admin.put(`${ips}/${made.id}`, { comment: 'x' }),
      await admin.delete(`${ips}/${made.id}`),
    ])
      expect(answer.status).toBe(404)
    const actions = (await audited('ip_block')).map(({ action }) => action)
    expect(actions.slice(0, 4)).toEqual(['destroy', 'update', 'update', 'create'])
  })

  test('are of nobody when no address is named, and of IPv4 when that is meant', async () => {
    const admin = await staff()
    expect((await admin.post(ips, { severity: 'sign_up_block' })).ok().ip).toBe('0.0.0.0/32')
    const mapped = (await admin.post(ips, { ip: '::ffff:203.0.113.9', severity: 'sign_up_block' })).ok()
    expect(mapped.ip).toBe('203.0.113.9/32')
    const six = (await admin.post(ips, { ip: '2001:DB8:0::5/32', severity: 'sign_up_block' })).ok()
    expect(six.ip).toBe('2001:db8::/32')
  })

  test('are refused for what is no range, without a severity, and twice', async () => {
    const admin = await staff()
    for (const terms of [
      { ip: 'example.com', severity: 'no_access' },
      { ip: '198.51.100.0/33', severity: 'no_access' },
      { ip: '198.51.100.1' },
      { ip: '198.51.100.1', severity: 'banish' },
      { ip: '198.51.100.1', severity: 'sign_up_block', expires_in: -5 },
      { ip: '198.51.100.1', severity: 'sign_up_block', expires_in: 'soon' },
    ])
      expect([terms, (await admin.post(ips, terms)).status]).toEqual([terms, 422])
    const first = (await admin.post(ips, { ip: '198.51.100.8', severity: 'sign_up_block' })).ok()
    const second = (await admin.post(ips, { ip: '198.51.100.9', severity: 'sign_up_block' })).ok()
    const again = await admin.post(ips, { ip: '198.51.100.8/32', severity: 'no_access' })
    expect([again.status, again.body.error]).toEqual([422, 'Validation failed: Ip has already been taken'])
    expect((await admin.put(`${ips}/${second.id}`, { ip: first.ip })).status).toBe(422)
  })

  test('cannot shut out this machine, its proxies, or whoever makes them', async () => {
    const admin = await staff()
    for (const ip of ['0.0.0.0/0', '127.0.0.1', '127.0.0.0/7', '::/0', '::1', '::ffff:127.0.0.1'])
      expect([ip, (await admin.post(ips, { ip, severity: 'no_access' })).status]).toEqual([ip, 422])
    // Less than that may be said of everybody.
    const all = (await admin.post(ips, { ip: '0.0.0.0/0', severity: 'sign_up_requires_approval' })).ok()
    expect((await admin.put(`${ips}/${all.id}`, { severity: 'no_access' })).status).toBe(422)
    ;(await admin.delete(`${ips}/${all.id}`)).ok()
    const from = { 'x-forwarded-for': '198.51.100.200' }
    const own = { ip: '198.51.100.192/26', severity: 'no_access' }
    const answer = await admin.post(ips, own, from)
    expect([answer.status, answer.body.error]).toEqual([422, expect.stringContaining('you come from')])
    ;(await admin.post(ips, own)).ok()
  })
})

describe('canonical e-mail blocks', () => {
  test('are made of an address or of a hash, tested, shown and lifted', async () => {
    const admin = await staff()
    const made = (await admin.post(canonical, { email: 'Some.One+tag@Mail.Example' })).ok()
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      canonical_email_hash: hashOf('someone@mail.example'),
    })
    expect((await admin.get(`${canonical}/${made.id}`)).ok()).toEqual(made)
    for (const email of ['someone@mail.example', 'S.O.M.E.O.N.E+2@MAIL.example'])
      expect((await admin.post(`${canonical}/test`, { email })).ok()).toEqual([made])
    expect((await admin.post(`${canonical}/test`, { email: 'other@mail.example' })).ok()).toEqual([])
    const missing = await admin.post(`${canonical}/test`, {})
    expect([missing.status, missing.body.error]).toEqual([
      400,
      'param is missing or the value is empty or invalid: email',
    ])
    const hash = hashOf('hashed@mail.example')
    const byHash = (await admin.post(canonical, { canonical_email_hash: hash })).ok()
    expect(byHash.canonical_email_hash).toBe(hash)
    for (const wrong of [
      {},
      { email: 'nobody' },
      { canonical_email_hash: 'abc' },
      { canonical_email_hash: hash },
      { email: 'some.one@mail.example' },
    ])
      expect([wrong, (await admin.post(canonical, wrong)).status]).toEqual([wrong, 422])
    expect((await admin.delete(`${canonical}/${made.id}`)).ok()).toEqual({})
    expect((await admin.get(`${canonical}/${made.id}`)).status).toBe(404)
    expect((await admin.delete(`${canonical}/${made.id}`)).status).toBe(404)
    // The log names nobody's address.
    expect((await audited('canonical_email_block'))[0]).toMatchObject({
      action: 'destroy',
      label: made.canonical_email_hash,
    })
  })
})

describe('user name blocks', () => {
  test('are made, shown, changed and lifted, and written down', async () => {
    const admin = await staff()
    const made = (await admin.post(names, { username: 'Casin0' })).ok()
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      username: 'Casin0',
      comparison: 'equals',
      allow_with_approval: false,
      created_at: expect.any(String),
    })
    expect((await admin.get(`${names}/${made.id}`)).ok()).toEqual(made)
    const wider = { comparison: 'contains', allow_with_approval: true }
    expect((await admin.put(`${names}/${made.id}`, wider)).ok()).toEqual({ ...made, ...wider })
    for (const username of ['casino', 'C4S1NO', '', 'a b', 'ü', undefined])
      expect([username, (await admin.post(names, { username })).status]).toEqual([username, 422])
    const other = (await admin.post(names, { username: 'poker' })).ok()
    expect((await admin.put(`${names}/${other.id}`, { username: 'cAs1n0' })).status).toBe(422)
    expect((await admin.delete(`${names}/${made.id}`)).ok()).toEqual({})
    expect((await admin.delete(`${names}/${made.id}`)).status).toBe(404)
    expect((await admin.put(`${names}/${made.id}`, {})).status).toBe(404)
    const actions = (await audited('username_block')).map(({ action }) => action)
    expect(actions.slice(0, 4)).toEqual(['destroy', 'create', 'update', 'create'])
  })
})

test('blocks are listed in pages, with as many queries however many there are', async () => {
  const admin = await staff()
  const made: Record<string, (index: number) => Record<string, unknown>> = {
    [emailDomains]: (index) => ({ domain: `page${index}.example` }),
    [ips]: (index) => ({ ip: `192.0.2.${index}`, severity: 'sign_up_block' }),
    [canonical]: (index) => ({ email: `page${index}@mail.example` }),
    [names]: (index) => ({ username: `page_${'abc'[index]}` }),
  }
  for (const [path, paramsOf] of Object.entries(made)) {
    const ids: string[] = []
    for (const index of [0, 1, 2]) ids.unshift((await admin.post(path, paramsOf(index))).ok().id)
    const first = await admin.get(path, { limit: 2 })
    expect(first.ok().map((block: { id: string }) => block.id)).toEqual(ids.slice(0, 2))
    const second = await admin.get(first.links['next'] as string)
    expect(second.ok()[0].id).toBe(ids[2])
    const queries = async (limit: number) => (await app.countQueries(() => admin.get(path, { limit }))).length
    expect(await queries(1)).toBe(await queries(3))
  }
})

test('only staff with the permission, and tokens with the scope, get in', async () => {
  const [admin, moderator, alice] = [
    await staff(),
    await app.person('moderator', { role: 'Moderator' }),
    await app.person('alice'),
  ]
  for (const [path, scope] of [
    [emailDomains, 'admin:read:email_domain_blocks'],
    [ips, 'admin:read:ip_blocks'],
    [canonical, 'admin:read:canonical_email_blocks'],
    [names, 'admin:read'],
  ] as const) {
    expect((await app.anonymous.get(path)).status).toBe(401)
    expect((await app.anonymous.post(path, {})).status).toBe(401)
    for (const person of [moderator, alice]) {
      expect((await person.get(path)).status).toBe(403)
      expect((await person.post(path, {})).status).toBe(403)
    }
    const narrow = await app.withScopes(admin, [scope])
    expect((await narrow.get(path)).status).toBe(200)
    expect((await narrow.post(path, {})).status).toBe(403)
    expect((await (await app.withScopes(admin, ['read', 'write'])).get(path)).status).toBe(403)
  }
})

test('a range can be blocked again as soon as its block has ended', async () => {
  const admin = await staff()
  const terms = { ip: '192.0.2.96/31', severity: 'sign_up_block', expires_in: 60 }
  const first = (await admin.post(ips, terms)).ok()
  expect((await admin.post(ips, terms)).status).toBe(422)
  app.clock.advance(minutes(2))
  expect((await admin.post(ips, terms)).ok().id).not.toBe(first.id)
})

test('blocks of addresses that have ended are purged', async () => {
  const admin = await staff()
  const short = (await admin.post(ips, { ip: '192.0.2.99', severity: 'sign_up_block', expires_in: 60 })).ok()
  const long = (await admin.post(ips, { ip: '192.0.2.98', severity: 'sign_up_block' })).ok()
  app.clock.advance(hours(1))
  await purgeIpBlocks(app.ctx)
  expect((await admin.get(`${ips}/${short.id}`)).status).toBe(404)
  expect((await admin.get(`${ips}/${long.id}`)).status).toBe(200)
})
