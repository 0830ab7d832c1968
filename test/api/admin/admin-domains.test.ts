// What staff write down about other servers. What follows from it: test/federation/moderation/host-blocks.test.ts.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'

const app = useApp()
const blocks = '/api/v1/admin/domain_blocks'
const allows = '/api/v1/admin/domain_allows'

const staff = (role: 'Owner' | 'Admin' | 'Moderator' = 'Admin') => app.person('staff', { role })
const digestOf = (domain: string) => createHash('sha256').update(domain).digest('hex')

describe('domain blocks', () => {
  test('are made, shown, changed and lifted', async () => {
    const admin = await staff()
    const terms = {
      severity: 'suspend',
      reject_media: true,
      reject_reports: 'true',
      private_comment: 'between us',
      public_comment: 'for all',
      obfuscate: true,
    }
    const made = (await admin.post(blocks, { domain: 'bad.example', ...terms })).ok()
    expect(made).toEqual({
      ...terms,
      reject_reports: true,
      id: expect.stringMatching(/^\d+$/),
      domain: 'bad.example',
      digest: digestOf('bad.example'),
      created_at: expect.any(String),
    })
    expect((await admin.get(`${blocks}/${made.id}`)).ok()).toEqual(made)
    const changed = (
      await admin.put(`${blocks}/${made.id}`, { severity: 'silence', private_comment: '' })
    ).ok()
    expect(changed).toEqual({ ...made, severity: 'silence', private_comment: null })
    expect((await admin.delete(`${blocks}/${made.id}`)).ok()).toEqual({})
    for (const answer of [
      await admin.get(`${blocks}/${made.id}`),
      await admin.put(`${blocks}/${made.id}`, { severity: 'noop' }),
      await admin.delete(`${blocks}/${made.id}`),
    ])
      expect(answer.status).toBe(404)
  })

  test('limit accounts when nothing else is said', async () => {
    const made = (await (await staff()).post(blocks, { domain: 'plain.example' })).ok()
    expect(made).toMatchObject({
      severity: 'silence',
      reject_media: false,
      reject_reports: false,
      obfuscate: false,
      private_comment: null,
      public_comment: null,
    })
  })

  test('have one spelling of the host, and hold for all of them [FED-38]', async () => {
    const admin = await staff()
    const made = (await admin.post(blocks, { domain: ' MÜNCHEN.Example. ', severity: 'suspend' })).ok()
    expect(made.domain).toBe('xn--mnchen-3ya.example')
    for (const domain of ['münchen.example:443', 'XN--MNCHEN-3YA.example', 'münchen。example'])
      expect([domain, (await admin.post(blocks, { domain })).status]).toEqual([domain, 422])
    for (const host of [
      'münchen.example',
      'MÜNCHEN.EXAMPLE',
      'xn--mnchen-3ya.example.',
      'münchen.example:443',
      'münchen.example:8443',
      'a.b.münchen.example',
    ])
      expect([host, await mayFederate(app.ctx, host)]).toEqual([host, false])
    for (const host of ['example', 'xmünchen.example', 'münchen.example.org'])
      expect([host, await mayFederate(app.ctx, host)]).toEqual([host, true])
  })

  test('are refused where another one says as much', async () => {
    const admin = await staff()
    const wide = (await admin.post(blocks, { domain: 'wide.example', severity: 'suspend' })).ok()
    for (const terms of [
      { domain: 'wide.example', severity: 'suspend' },
      { domain: 'sub.wide.example', severity: 'silence' },
      { domain: 'sub.wide.example', severity: 'suspend' },
    ]) {
      const answer = await admin.post(blocks, terms)
      expect([answer.status, answer.body]).toEqual([
        422,
        { error: expect.any(String), existing_domain_block: wide },
      ])
    }
    await admin.post(blocks, { domain: 'mild.example', severity: 'silence' })
    const noMedia = { domain: 'media.mild.example', severity: 'silence', reject_media: true }
    expect((await admin.post(blocks, { ...noMedia, reject_media: false })).status).toBe(422)
    expect((await admin.post(blocks, noMedia)).status).toBe(200)
    expect((await admin.post(blocks, { domain: 'sub.mild.example', severity: 'suspend' })).status).toBe(200)
  })

  test('are refused for what is no domain, and for this server', async () => {
    const admin = await staff()
    for (const domain of [undefined, '', 'https://x.example/', 'a b', 'chat.example', 'CHAT.example.'])
      expect([domain, (await admin.post(blocks, { domain, severity: 'suspend' })).status]).toEqual([
        domain,
        422,
      ])
    expect((await admin.post(blocks, { domain: 'x.example', severity: 'banish' })).status).toBe(422)
  })

  test('are listed in pages', async () => {
    const admin = await staff()
    for (const domain of ['p1.example', 'p2.example', 'p3.example']) await admin.post(blocks, { domain })
    const first = await admin.get(blocks, { limit: 2 })
    expect(first.ok().map((block: { domain: string }) => block.domain)).toEqual(['p3.example', 'p2.example'])
    const second = await admin.get(first.links['next'] as string)
    expect(second.ok()[0]).toMatchObject({ domain: 'p1.example' })
    const queries = async (limit: number) =>
      (await app.countQueries(() => admin.get(blocks, { limit }))).length
    expect(await queries(1)).toBe(await queries(3))
  })

  test('are shown to the public as the settings say, the name hidden where asked', async () => {
    const admin = await staff()
    await sql`delete from domain_blocks`.execute(app.ctx.db)
    const hidden = { domain: 'obscured.example', severity: 'suspend', obfuscate: true, public_comment: 'why' }
    ;(await admin.post(blocks, hidden)).ok()
    ;(await admin.post(blocks, { domain: 'noop.example', severity: 'noop' })).ok()
    const shown = '/api/v1/instance/domain_blocks'
    expect((await admin.get(shown)).status).toBe(404)
    await setSetting(app.ctx, 'show_domain_blocks', 'users')
    expect((await app.anonymous.get(shown)).status).toBe(404)
    const digest = digestOf('obscured.example')
    const line = { domain: 'obsc****.***mple', digest, severity: 'suspend' }
    expect((await admin.get(shown)).ok()).toEqual([{ ...line, comment: null }])
    await setSetting(app.ctx, 'show_domain_blocks', 'all')
    await setSetting(app.ctx, 'show_domain_blocks_rationale', 'users')
    expect((await app.anonymous.get(shown)).ok()).toEqual([{ ...line, comment: null }])
    expect((await admin.get(shown)).ok()).toEqual([{ ...line, comment: 'why' }])
  })
})

describe('domain allows', () => {
  test('are made once, shown and taken back', async () => {
    const admin = await staff()
    const made = (await admin.post(allows, { domain: 'Friend.example' })).ok()
    expect(made).toEqual({ id: expect.any(String), domain: 'friend.example', created_at: expect.any(String) })
    expect((await admin.post(allows, { domain: 'friend.example' })).ok()).toEqual(made)
    expect((await admin.get(`${allows}/${made.id}`)).ok()).toEqual(made)
    expect((await admin.get(allows)).ok()).toEqual([made])
    expect((await admin.post(allows, { domain: 'a b' })).status).toBe(422)
    expect((await admin.delete(`${allows}/${made.id}`)).ok()).toEqual({})
    expect((await admin.delete(`${allows}/${made.id}`)).status).toBe(404)
    expect((await admin.get(`${allows}/${made.id}`)).status).toBe(404)
  })
})

test('only staff with the permission, and tokens with the scope, get in', async () => {
  const [admin, moderator, alice] = [await staff(), await staff('Moderator'), await app.person('alice')]
  for (const [path, scope] of [
    [blocks, 'domain_blocks'],
    [allows, 'domain_allows'],
  ] as const) {
    const domain = { domain: 'scoped.example' }
    expect((await app.anonymous.get(path)).status).toBe(401)
    expect((await app.anonymous.post(path, domain)).status).toBe(401)
    for (const person of [moderator, alice]) {
      expect((await person.get(path)).status).toBe(403)
      expect((await person.post(path, domain)).status).toBe(403)
    }
    const reading = await app.withScopes(admin, [`admin:read:${scope}`])
    const writing = await app.withScopes(admin, [`admin:write:${scope}`])
    const other = await app.withScopes(admin, ['read', 'write', 'admin:read:reports', 'admin:write:reports'])
    expect((await reading.get(path)).status).toBe(200)
    expect((await reading.post(path, domain)).status).toBe(403)
    expect((await writing.get(path)).status).toBe(403)
    expect((await writing.post(path, domain)).status).toBe(200)
    expect([(await other.get(path)).status, (await other.post(path, domain)).status]).toEqual([403, 403])
  }
})
