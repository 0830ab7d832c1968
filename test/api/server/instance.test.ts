import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { setSetting, type Settings } from '#domain/server/instance/settings.ts'
import { startApp, useApp, type TestApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days, minutes } from '#test/app/clock.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { asId, type CustomEmojiId, type DomainBlockId, type RuleId, type TermsOfServiceId } from '#lib/id.ts'

const app = useApp()
// Somebody runs the server: without any account it is not set up, and nobody can sign up.
beforeAll(() => app.person('host'))
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

const set = <K extends keyof Settings>(key: K, value: Settings[K]) => setSetting(app.ctx, key, value)
const get = async (path: string, query?: Record<string, unknown>): Promise<Json> =>
  (await app.anonymous.get(path, query)).ok()

async function within(env: Record<string, string>, work: (app: TestApp) => Promise<void>): Promise<void> {
  const other = await startApp({ env })
  try {
    await work(other)
  } finally {
    await other.close()
  }
}

const isAddressKey = (key: string) =>
  /^(url|src|@\dx|thumbnail|streaming|streaming_api|about|privacy_policy)$|_url$/.test(key)

/** The texts under all keys that hold addresses, however deep. */
function addressesIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && isAddressKey(key) ? [inner] : addressesIn(inner),
  )
}

/** None is empty, and all are absolute. */
function expectAddresses(value: Json): void {
  const addresses = addressesIn(value)
  expect(addresses.length).toBeGreaterThan(1)
  for (const address of addresses) expect(address).toMatch(/^(https|wss):\/\/[a-z.]+\b/)
}

describe('instance documents', () => {
  test('version 1 answers instance information [4-45]', async () => {
    const body = await get('/api/v1/instance')
    expect(body).toMatchObject({
      uri: 'chat.example',
      title: 'Stonechat',
      version: `4.7.0 (compatible; Stonechat ${version})`,
      urls: { streaming_api: 'wss://chat.example' },
      registrations: true,
      approval_required: false,
      contact_account: null,
      rules: [],
    })
    expect(body.configuration.statuses).toEqual({
      max_characters: 500,
      max_media_attachments: 4,
      characters_reserved_per_url: 23,
      supported_mime_types: ['text/plain'],
      local_only: false,
    })
    expectAddresses(body)
  })

  test('version 2 has every key, integers for API versions and no empty address [9-1]', async () => {
    const body = await get('/api/v2/instance')
    expect(body).toMatchObject({
      domain: 'chat.example',
      version: `4.7.0 (compatible; Stonechat ${version})`,
      api_versions: { mastodon: 10, stonechat: 1 },
      registrations: {
        enabled: true,
        approval_required: false,
        reason_required: false,
        message: null,
        min_age: null,
        url: null,
      },
      // A year in December.
      wrapstodon: expect.toBeOneOf([null, expect.stringMatching(/^\d{4}$/)]),
    })
    expect(body.configuration).toMatchObject({
      urls: { streaming: 'wss://chat.example', status: null, terms_of_service: null },
      vapid: { public_key: app.ctx.secrets.vapid.publicKey },
      accounts: {
        max_featured_tags: 10,
        max_pinned_statuses: 5,
        max_profile_fields: 4,
        max_note_length: 500,
      },
      media_attachments: {
        image_size_limit: 16_777_216,
        image_matrix_limit: 33_177_600,
        video_size_limit: 103_809_024,
      },
      polls: {
        max_options: 4,
        max_characters_per_option: 50,
        min_expiration: 300,
        max_expiration: 2_629_746,
      },
      translation: { enabled: false },
      timelines_access: { live_feeds: { local: 'public', remote: 'public' } },
      limited_federation: false,
    })
    expectAddresses(body)
    for (const picture of [
      body.thumbnail.url,
      ...Object.values<string>(body.thumbnail.versions),
      ...body.icon.map((icon: Json) => icon.src),
    ]) {
      const file = await app.fetch(new URL(picture).pathname)
      expect(file.status).toBe(200)
      expect(file.headers.get('content-type')).toBe('image/png')
    }
  })

  test('what the operator decides shows', async () => {
    const alice = await app.person('alice')
    await set('site_title', 'The Stone')
    await set('site_short_description', 'Birds')
    await set('site_contact_email', 'help@chat.example')
    await set('site_contact_username', alice.username)
    await set('status_page_url', 'https://chat.example/status')
    await set('registrations_mode', 'approved')
    await set('require_invite_text', true)
    const two = await get('/api/v2/instance')
    expect(two).toMatchObject({
      title: 'The Stone',
      description: 'Birds',
      contact: { email: 'help@chat.example', account: { id: alice.accountId } },
      registrations: { enabled: true, approval_required: true, reason_required: true },
    })
    expect(two.configuration.urls.status).toBe('https://chat.example/status')
    const one = await get('/api/v1/instance')
    expect(one).toMatchObject({
      approval_required: true,
      email: 'help@chat.example',
      contact_account: { id: alice.accountId },
    })
    await set('registrations_mode', 'none')
    await set('closed_registrations_message', 'Ask <me>')
    expect((await get('/api/v2/instance')).registrations).toMatchObject({
      enabled: false,
      approval_required: false,
      message: '<p>Ask &lt;me&gt;</p>',
    })
    expect((await get('/api/v1/instance')).registrations).toBe(false)
    await set('registrations_mode', 'open')
    await set('site_contact_username', '')
  })

  test('numbers are counted once in a while, not on every request', async () => {
    app.clock.advance(minutes(61))
    const before = await get('/api/v1/instance')
    const alice = await app.person('alice')
    await alice.say('hello')
    const queries = await app.countQueries(() => app.anonymous.get('/api/v1/instance'))
    expect(queries.filter((sql) => sql.includes('count('))).toEqual([])
    expect((await get('/api/v1/instance')).stats).toEqual(before.stats)
    app.clock.advance(minutes(61))
    const { stats } = await get('/api/v1/instance')
    expect(stats.user_count).toBe(before.stats.user_count + 1)
    expect(stats.status_count).toBe(before.stats.status_count + 1)
  })

  test('shared caches may keep them', async () => {
    expect((await app.anonymous.get('/api/v2/instance')).headers.get('cache-control')).toContain(
      'public, max-age=5',
    )
  })

  test('they are there in secure mode and in limited federation [4-46] [5-15]', async () => {
    await within({ AUTHORIZED_FETCH: 'true' }, async (secure) => {
      expect((await secure.anonymous.get('/api/v1/instance')).status).toBe(200)
    })
    await within({ LIMITED_FEDERATION_MODE: 'true' }, async (limited) => {
      expect((await limited.anonymous.get('/api/v1/instance')).status).toBe(200)
      const body = (await limited.anonymous.get('/api/v2/instance')).ok()
      expect(body).toMatchObject({
        configuration: { limited_federation: true },
        usage: { users: { active_month: 0 } },
      })
      expect((await limited.anonymous.get('/api/v1/instance/rules')).status).toBe(200)
      for (const closed of ['peers', 'activity', 'domain_blocks']) {
        expect((await limited.anonymous.get(`/api/v1/instance/${closed}`)).status).toBe(401)
      }
      const alice = await limited.person('alice')
      expect((await alice.get('/api/v1/instance/peers')).status).toBe(200)
      expect((await limited.anonymous.get(`/api/v1/accounts/${alice.accountId}`)).status).toBe(401)
    })
  })
})

describe('texts', () => {
  test('extended description: exactly this when nothing is set', async () => {
    const answer = await app.fetch('/api/v1/instance/extended_description')
    expect(await answer.text()).toBe('{"content":"","updated_at":null}')
    await set('site_extended_description', '<p>About us</p>')
    const body = await get('/api/v1/instance/extended_description')
    expect(body.content).toBe('<p>About us</p>')
    expect(body.updated_at).toMatch(/Z$/)
  })

  test('privacy policy: a text of its own until the operator has one', async () => {
    expect((await get('/api/v1/instance/privacy_policy')).content).toContain('<h2>')
    await set('site_terms', '<p>Ours</p>')
    expect((await get('/api/v1/instance/privacy_policy')).content).toBe('<p>Ours</p>')
  })

  test('rules in their order, without deleted ones', async () => {
    const rows = [
      {
        id: asId<RuleId>('11'),
        text: 'Second',
        priority: 2,
        translations: JSON.stringify({ de: { text: 'Zweite', hint: '' } }),
      },
      { id: asId<RuleId>('12'), text: 'First', hint: 'really', priority: 1 },
      { id: asId<RuleId>('13'), text: 'Gone', deleted_at: new Date() },
    ]
    for (const row of rows) await app.ctx.db.insertInto('rules').values(row).execute()
    const expected = [
      { id: '12', text: 'First', hint: 'really', translations: {} },
      { id: '11', text: 'Second', hint: '', translations: { de: { text: 'Zweite', hint: '' } } },
    ]
    expect(await get('/api/v1/instance/rules')).toEqual(expected)
    expect((await get('/api/v1/instance')).rules).toEqual(expected)
    expect((await get('/api/v2/instance')).rules).toEqual(expected)
  })

  test('terms of service: those in force, those of a day, and what follows', async () => {
    expect((await app.anonymous.get('/api/v1/instance/terms_of_service')).status).toBe(404)
    const day = (offset: number) => new Date(app.clock.now() + days(offset)).toISOString().slice(0, 10)
    const published_at = new Date()
    const rows = [
      { id: asId<TermsOfServiceId>('1'), text: 'Old', effective_date: day(-20), published_at },
      { id: asId<TermsOfServiceId>('2'), text: 'Now\n\nhere', effective_date: day(-10), published_at },
      { id: asId<TermsOfServiceId>('3'), text: 'Next', effective_date: day(10), published_at },
      { id: asId<TermsOfServiceId>('4'), text: 'Draft', effective_date: day(-1) },
    ]
    for (const row of rows) await app.ctx.db.insertInto('terms_of_service').values(row).execute()
    const current = {
      effective_date: day(-10),
      effective: true,
      content: '<p>Now</p><p>here</p>',
      succeeded_by: day(10),
    }
    expect(await get('/api/v1/instance/terms_of_service')).toEqual(current)
    expect(await get(`/api/v1/instance/terms_of_service/${day(-20)}`)).toMatchObject({
      content: '<p>Old</p>',
      succeeded_by: day(-10),
    })
    expect(await get(`/api/v1/instance/terms_of_service/${day(10)}`)).toMatchObject({
      effective: false,
      succeeded_by: null,
    })
    for (const missing of [day(-1), 'yesterday']) {
      expect((await app.anonymous.get(`/api/v1/instance/terms_of_service/${missing}`)).status).toBe(404)
    }
    expect((await get('/api/v2/instance')).configuration.urls.terms_of_service).toBe(
      'https://chat.example/terms-of-service',
    )
  })

  test('languages have codes and names; nothing is translated [4-47]', async () => {
    const languages = await get('/api/v1/instance/languages')
    expect(languages).toContainEqual({ code: 'de', name: 'German' })
    expect(languages.length).toBeGreaterThan(180)
    expect(await get('/api/v1/instance/translation_languages')).toEqual({})
  })
})

describe('activity', () => {
  test('twelve weeks from Monday on, every number a string [2.0-5] [4-74]', async () => {
    const alice = await app.person('alice')
    await alice.say('one')
    await alice.say('two')
    app.clock.advance(minutes(11))
    await app.anonymous.get('/api/v1/instance/activity')
    const weeks = await get('/api/v1/instance/activity')
    expect(weeks).toHaveLength(12)
    for (const week of weeks) {
      for (const value of Object.values(week)) expect(value).toMatch(/^\d+$/)
      expect(new Date(Number(week.week) * 1000).getUTCDay()).toBe(1)
    }
    expect(Number(weeks[0].week) - Number(weeks[1].week)).toBe(7 * 86_400)
    const [current] = weeks
    const counts = ['statuses', 'logins', 'registrations'].map((key) => Number(current[key]))
    expect(counts[0]).toBeGreaterThanOrEqual(2)
    expect(counts[1]).toBeGreaterThanOrEqual(1)
    expect(counts[2]).toBeGreaterThanOrEqual(1)
    app.clock.advance(days(7))
    const later = await get('/api/v1/instance/activity')
    expect(later[1]).toEqual({ ...current })
    expect(later[0]).toMatchObject({ statuses: '0', registrations: '0' })
  })

  test('can be switched off', async () => {
    await set('activity_api_enabled', false)
    expect((await app.anonymous.get('/api/v1/instance/activity')).status).toBe(404)
    await set('activity_api_enabled', true)
  })
})

describe('peers', () => {
  test('known domains but for suspended ones, each once [4-73]', async () => {
    for (const domain of [
      'b.example',
      'a.example',
      'b.example',
      'bad.example',
      'sub.bad.example',
      'notbad.example',
    ]) {
      await remoteAccount(app.ctx, domain)
    }
    await app.ctx.db
      .insertInto('domain_blocks')
      .values({ id: asId<DomainBlockId>('1'), domain: 'bad.example', severity: 'suspend' })
      .execute()
    app.clock.advance(minutes(11))
    expect(await get('/api/v1/instance/peers')).toEqual(['a.example', 'b.example', 'notbad.example'])
    expect((await get('/api/v1/instance')).stats.domain_count).toBe(3)
    expect(await get('/api/v1/peers/search', { q: 'B' })).toEqual(['b.example', 'notbad.example'])
    expect(await get('/api/v1/peers/search', { q: ' ' })).toEqual([])
    const queries = await app.countQueries(() => app.anonymous.get('/api/v1/instance/peers'))
    expect(queries.filter((sql) => sql.includes('accounts'))).toEqual([])
  })

  test('can be switched off', async () => {
    await set('peers_api_enabled', false)
    expect((await app.anonymous.get('/api/v1/instance/peers')).status).toBe(404)
    expect((await app.anonymous.get('/api/v1/peers/search', { q: 'a' })).status).toBe(404)
    await set('peers_api_enabled', true)
  })

  test('domain blocks are shown to those whom the settings name', async () => {
    const alice = await app.person('alice')
    const rows = [
      {
        id: asId<DomainBlockId>('21'),
        domain: 'noisy.example',
        severity: 'silence',
        public_comment: 'noise',
        private_comment: 'secret',
      },
      { id: asId<DomainBlockId>('22'), domain: 'hidden.example', severity: 'suspend', obfuscate: true },
      { id: asId<DomainBlockId>('23'), domain: 'noted.example', severity: 'noop' },
    ]
    for (const row of rows) await app.ctx.db.insertInto('domain_blocks').values(row).execute()
    const path = '/api/v1/instance/domain_blocks'
    expect((await alice.get(path)).status).toBe(404)
    await set('show_domain_blocks', 'users')
    expect((await app.anonymous.get(path)).status).toBe(404)
    const toUsers = (await alice.get(path)).ok()
    expect(toUsers.map((block: Json) => [block.domain, block.severity, block.comment])).toEqual([
      ['bad.example', 'suspend', null],
      ['hid***.****ple', 'suspend', null],
      ['noisy.example', 'silence', null],
    ])
    expect(toUsers[1].digest).toMatch(/^[0-9a-f]{64}$/)
    await set('show_domain_blocks', 'all')
    await set('show_domain_blocks_rationale', 'all')
    const answer = await app.anonymous.get(path)
    expect(answer.ok()[2].comment).toBe('noise')
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|hidden\.example/)
  })
})

describe('custom emoji', () => {
  const emoji = (shortcode: string, more: object = {}) => ({
    id: app.ctx.newId<CustomEmojiId>(),
    shortcode,
    image_key: `emoji/${shortcode}.png`,
    ...more,
  })

  test('are listed, but for unlisted, disabled and remote ones [4-22] [4-23]', async () => {
    const rows = [
      emoji('zebra', { category: 'Animals' }),
      emoji('apple', { static_key: 'emoji/apple-still.png' }),
      emoji('secret', { visible_in_picker: false }),
      emoji('off', { disabled: true }),
      emoji('far', { domain: 'a.example' }),
    ]
    for (const row of rows) await app.ctx.db.insertInto('custom_emojis').values(row).execute()
    expect(await get('/api/v1/custom_emojis')).toEqual([
      {
        shortcode: 'apple',
        url: 'https://chat.example/media/emoji/apple.png',
        static_url: 'https://chat.example/media/emoji/apple-still.png',
        visible_in_picker: true,
        category: null,
      },
      {
        shortcode: 'zebra',
        url: 'https://chat.example/media/emoji/zebra.png',
        static_url: 'https://chat.example/media/emoji/zebra.png',
        visible_in_picker: true,
        category: 'Animals',
      },
    ])
  })

  test('the list is kept by shared caches only where strangers may read it [5-14]', async () => {
    expect((await app.anonymous.get('/api/v1/custom_emojis')).headers.get('cache-control')).toContain(
      'public',
    )
    await within({ DISALLOW_UNAUTHENTICATED_API_ACCESS: 'true' }, async (closed) => {
      const refused = await closed.anonymous.get('/api/v1/custom_emojis')
      expect(refused.status).toBe(401)
      expect(refused.headers.get('cache-control')).toBe('private, no-store')
      const alice = await closed.person('alice')
      const shown = await alice.get('/api/v1/custom_emojis')
      expect(shown.status).toBe(200)
      expect(shown.headers.get('cache-control')).toBe('private, no-store')
    })
  })
})
