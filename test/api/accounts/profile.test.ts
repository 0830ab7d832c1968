import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { filesBelow } from '#test/client/upload.ts'
import type { AccountId } from '#lib/id.ts'

const app = useApp()

const update = (person: Person, params: Record<string, unknown> | FormData | URLSearchParams) =>
  person.patch('/api/v1/accounts/update_credentials', params)

const form = (entries: [string, string | Blob][]) => {
  const made = new FormData()
  for (const [name, value] of entries) made.append(name, value)
  return made
}

const png = (colour: string, size = 60) =>
  sharp({ create: { width: size, height: size, channels: 3, background: colour } })
    .png()
    .toBuffer()

const blob = (bytes: Buffer, type = 'image/png') => new Blob([new Uint8Array(bytes)], { type })

async function gif(): Promise<Buffer> {
  const raw = Buffer.concat([Buffer.alloc(20 * 20 * 3, 10), Buffer.alloc(20 * 20 * 3, 200)])
  return sharp(raw, { raw: { width: 20, height: 40, channels: 3, pageHeight: 20 } })
    .gif()
    .toBuffer()
}

const pathOf = (url: string) => new URL(url).pathname

describe('verify_credentials', () => {
  test("answers one's own account with its source and role [2.0-1]", async () => {
    const alice = await app.person('alice')
    const body = (await alice.get('/api/v1/accounts/verify_credentials')).ok()
    expect(body).toMatchObject({ id: alice.accountId, acct: alice.username, display_name: '' })
    expect(body.source).toEqual({
      privacy: 'public',
      sensitive: false,
      language: null,
      note: '',
      fields: [],
      follow_requests_count: 0,
      hide_collections: null,
      discoverable: null,
      indexable: false,
      attribution_domains: [],
      quote_policy: 'public',
      reply_policy: 'public',
    })
    expect(body.role).toMatchObject({ id: '-99', permissions: '65536', highlighted: false })
    expect(body).not.toHaveProperty('email')
  })

  test('an owner has all permissions', async () => {
    const owner = await app.person('owner', { role: 'Owner' })
    const body = (await owner.get('/api/v1/accounts/verify_credentials')).ok()
    expect(body.role).toMatchObject({ id: '3', name: 'Owner', permissions: '8388607' })
    expect(body.roles).toEqual([{ id: '3', name: 'Owner', color: '' }])
  })

  test.each(['profile', 'read', 'read:accounts'])('takes the scope %s', async (scope) => {
    const alice = await app.person('alice')
    const client = await app.withScopes(alice, [scope])
    expect((await client.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
  })

  test('wants a token, a user and one of its scopes', async () => {
    const alice = await app.person('alice')
    expect((await app.anonymous.get('/api/v1/accounts/verify_credentials')).status).toBe(401)
    const narrow = await app.withScopes(alice, ['read:statuses'])
    expect((await narrow.get('/api/v1/accounts/verify_credentials')).status).toBe(403)
    const client = await app.application(['read'])
    expect((await client.get('/api/v1/accounts/verify_credentials')).status).toBe(422)
  })

  test('a login that is not confirmed or not approved is refused everywhere here [ACC-10]', async () => {
    for (const state of [{ confirmed: false }, { approved: false }]) {
      const person = await app.person('waiting', state)
      expect((await person.get('/api/v1/accounts/verify_credentials')).status).toBe(403)
      expect((await update(person, { note: 'x' })).status).toBe(403)
      expect((await person.get('/api/v1/preferences')).status).toBe(403)
      expect((await person.get('/api/v1/profile')).status).toBe(403)
      expect((await person.delete('/api/v1/profile/avatar')).status).toBe(403)
    }
  })
})

describe('update_credentials', () => {
  test('changes texts and switches, for all to see [4-12]', async () => {
    const alice = await app.person('alice')
    const body = (
      await update(alice, {
        display_name: 'Alice',
        note: 'I like https://example.org and #Birds <b>',
        locked: true,
        bot: 'true',
        discoverable: '1',
        hide_collections: true,
        indexable: 'on',
        avatar_description: 'a face',
        attribution_domains: ['https://Example.com/me', '*.example.org'],
      })
    ).ok()
    expect(body).toMatchObject({
      display_name: 'Alice',
      locked: true,
      bot: true,
      discoverable: true,
      indexable: true,
      hide_collections: true,
      avatar_description: 'a face',
    })
    expect(body.note).toContain('<a href="https://example.org"')
    expect(body.note).toContain('href="https://chat.example/tags/birds"')
    expect(body.note).toContain('&lt;b&gt;')
    expect(body.source).toMatchObject({
      note: 'I like https://example.org and #Birds <b>',
      attribution_domains: ['example.com', 'example.org'],
    })
    const seen = (await app.anonymous.get(`/api/v1/accounts/${alice.accountId}`)).ok()
    expect(seen).toMatchObject({ display_name: 'Alice', note: body.note, locked: true })
  })

  test('what is not given stays as it is', async () => {
    const alice = await app.person('alice')
    await update(alice, { display_name: 'Alice', note: 'hello', locked: true })
    const body = (await update(alice, { display_name: '' })).ok()
    expect(body).toMatchObject({ display_name: '', locked: true, note: '<p>hello</p>' })
  })

  test('PUT does the same, and form and multipart are read like JSON', async () => {
    const alice = await app.person('alice')
    const path = '/api/v1/accounts/update_credentials'
    expect((await alice.put(path, { display_name: 'JSON' })).ok().display_name).toBe('JSON')
    const encoded = new URLSearchParams({ display_name: 'Form', locked: 'true' })
    expect((await alice.patch(path, encoded)).ok()).toMatchObject({ display_name: 'Form', locked: true })
    const multipart = form([
      ['display_name', 'Multipart'],
      ['locked', 'false'],
    ])
    expect((await alice.patch(path, multipart)).ok()).toMatchObject({
      display_name: 'Multipart',
      locked: false,
    })
  })

  test('mentions of known people become links', async () => {
    const alice = await app.person('alice')
    const bob = await app.person('bob')
    const note = `with @${bob.username} and @${bob.username}@chat.example, not @nobody`
    const body = (await update(alice, { note })).ok()
    const link = `<a href="https://chat.example/@${bob.username}" class="u-url mention">@<span>${bob.username}</span></a>`
    expect(body.note.split(link)).toHaveLength(3)
    expect(body.note).toContain('@nobody')
    expect(body.note).not.toContain('/@nobody')
  })

  test('tells others by one event, and only when something changed', async () => {
    const alice = await app.person('alice')
    const events = async () =>
      (await app.ctx.db.selectFrom('outbox').select('event').execute())
        .map((row) => row.event as { type: string; accountId?: AccountId })
        .filter((event) => event.type === 'account.updated' && event.accountId === alice.accountId)
    await app.settle()
    await update(alice, { display_name: 'Alice' })
    expect(await events()).toHaveLength(1)
    await app.settle()
    await update(alice, { display_name: 'Alice' })
    await update(alice, { source: { privacy: 'unlisted' } })
    expect(await events()).toHaveLength(0)
  })

  test('a bio has at most 500 characters, links counting as 23 [2.2-39] [8-1]', async () => {
    const alice = await app.person('alice')
    expect((await update(alice, { note: 'x'.repeat(500) })).status).toBe(200)
    const long = await update(alice, { note: 'x'.repeat(501) })
    expect(long.status).toBe(422)
    expect(long.body.error).toMatch(/^Validation failed/)
    const link = `https://example.org/${'y'.repeat(200)}`
    expect((await update(alice, { note: `${'x'.repeat(476)} ${link}` })).status).toBe(200)
    expect((await update(alice, { note: `${'x'.repeat(477)} ${link}` })).status).toBe(422)
    expect((await alice.get('/api/v1/accounts/verify_credentials')).ok().source.note).toContain(link)
  })

  test('a display name has at most 30 characters on one line, without overrides [CNT-9]', async () => {
    const alice = await app.person('alice')
    expect((await update(alice, { display_name: 'x'.repeat(30) })).status).toBe(200)
    expect((await update(alice, { display_name: 'x'.repeat(31) })).status).toBe(422)
    const odd = (await update(alice, { display_name: 'a\nb\u202Ec\u0000d' })).ok()
    expect(odd.display_name).toBe('a bcd')
  })

  test('HTML and odd links in a bio are text [CNT-2] [CNT-6]', async () => {
    const alice = await app.person('alice')
    const note = '<script>alert(1)</script> javascript:alert(1) data:text/html,x vbscript:y'
    const fields = [{ name: '<i>site</i>', value: 'javascript:alert(1)' }]
    const body = (await update(alice, { note, fields_attributes: fields })).ok()
    expect(body.note).not.toContain('<script')
    expect(body.note).not.toContain('href')
    expect(body.fields[0].value).not.toContain('href')
  })

  test('attribution domains: a text of lines too, at most 10, real ones only, none to clear', async () => {
    const alice = await app.person('alice')
    const lines = (await update(alice, { attribution_domains: 'one.example\ntwo.example' })).ok()
    expect(lines.source.attribution_domains).toEqual(['one.example', 'two.example'])
    const many = Array.from({ length: 11 }, (_, index) => `d${index}.example`)
    expect((await update(alice, { attribution_domains: many })).status).toBe(422)
    expect((await update(alice, { attribution_domains: ['not a domain!'] })).status).toBe(422)
    const none = (await update(alice, new URLSearchParams([['attribution_domains[]', '']]))).ok()
    expect(none.source.attribution_domains).toEqual([])
  })

  test('needs write:accounts', async () => {
    const alice = await app.person('alice')
    const reader = await app.withScopes(alice, ['read', 'write:statuses'])
    expect((await reader.patch('/api/v1/accounts/update_credentials', { note: 'x' })).status).toBe(403)
    expect((await app.anonymous.patch('/api/v1/accounts/update_credentials', { note: 'x' })).status).toBe(401)
  })
})

describe('preferences in source', () => {
  test("update the user's preferences [4-13] [4-104]", async () => {
    const alice = await app.person('alice')
    const source = { privacy: 'unlisted', sensitive: 'true', language: 'de', quote_policy: 'followers' }
    const body = (await update(alice, { source })).ok()
    expect(body.source).toMatchObject({ ...source, sensitive: true })
    expect((await alice.get('/api/v1/preferences')).ok()).toEqual({
      'posting:default:visibility': 'unlisted',
      'posting:default:sensitive': true,
      'posting:default:language': 'de',
      'posting:default:quote_policy': 'followers',
      'posting:default:reply_policy': 'public',
      'reading:expand:media': 'default',
      'reading:expand:spoilers': false,
      'reading:autoplay:gifs': false,
    })
    expect(await alice.say('hello')).toMatchObject({
      visibility: 'unlisted',
      sensitive: true,
      language: 'de',
    })
    const unset = (
      await update(
        alice,
        form([
          ['source[language]', ''],
          ['source[sensitive]', '0'],
        ]),
      )
    ).ok()
    expect(unset.source).toMatchObject({ language: null, sensitive: false, privacy: 'unlisted' })
  })

  test('an empty source is not an error [4-14] [7-1]', async () => {
    const alice = await app.person('alice')
    const empty = [
      { source: '' },
      { source: {} },
      { source: null },
      { source: [] },
      new URLSearchParams('source='),
      new URLSearchParams('source[]='),
      new URLSearchParams('source[privacy]='),
      form([['source', '']]),
    ]
    for (const params of empty) expect((await update(alice, params)).status).toBe(200)
  })

  test('unknown values are refused', async () => {
    const alice = await app.person('alice')
    expect((await update(alice, { source: { privacy: 'direct' } })).status).toBe(422)
    expect((await update(alice, { source: { quote_policy: 'some' } })).status).toBe(422)
  })

  test('a language that nobody knows is the default', async () => {
    const alice = await app.person('alice')
    ;(await update(alice, { source: { language: 'de' } })).ok()
    const unknown = (await update(alice, { source: { language: 'klingon?' } })).ok()
    expect(unknown.source.language).toBeNull()
  })

  test('preferences want read:accounts', async () => {
    const alice = await app.person('alice')
    const client = await app.withScopes(alice, ['read:statuses'])
    expect((await client.get('/api/v1/preferences')).status).toBe(403)
    expect((await app.anonymous.get('/api/v1/preferences')).status).toBe(401)
  })
})

describe('profile fields', () => {
  const expected = [
    { name: 'Site', value: 'https://example.org', verified_at: null },
    { name: 'Like', value: 'stones', verified_at: null },
  ]
  const pairs = (keys: [string, string]): [string, string][] => [
    [`fields_attributes[${keys[0]}][name]`, 'Site'],
    [`fields_attributes[${keys[0]}][value]`, 'https://example.org'],
    [`fields_attributes[${keys[1]}][name]`, 'Like'],
    [`fields_attributes[${keys[1]}][value]`, 'stones'],
  ]
  const items = expected.map(({ name, value }) => ({ name, value }))
  test.each<[string, Record<string, unknown> | FormData | URLSearchParams]>([
    ['a JSON array', { fields_attributes: items }],
    ['a JSON object', { fields_attributes: { 0: items[0], 1: items[1] } }],
    ['form fields with any numbers', new URLSearchParams(pairs(['7', '1029']))],
    ['multipart', form(pairs(['0', '1']))],
  ])('come as %s', async (_form, params) => {
    const alice = await app.person('alice')
    const body = (await update(alice, params)).ok()
    expect(body.source.fields).toEqual(expected)
    expect(body.fields[0].value).toMatch(/^<a href="https:\/\/example\.org".*rel="nofollow noopener.* me"/)
    expect(body.fields[1].value).toBe('stones')
  })

  test('the text `undefined` and other nonsense are ignored', async () => {
    const alice = await app.person('alice')
    await update(alice, { fields_attributes: items })
    expect((await update(alice, form([['fields_attributes', 'undefined']]))).ok().source.fields).toEqual(
      expected,
    )
    expect((await update(alice, { fields_attributes: null })).ok().source.fields).toEqual(expected)
  })

  test('empty ones are dropped; too many, too long and unnamed ones refused', async () => {
    const alice = await app.person('alice')
    const blank = { name: '', value: '' }
    const dropped = (await update(alice, { fields_attributes: [blank, items[0], blank, blank, blank] })).ok()
    expect(dropped.source.fields).toEqual([expected[0]])
    const refused = [
      Array.from({ length: 5 }, (_, index) => ({ name: `n${index}`, value: 'v' })),
      [{ name: 'x'.repeat(256), value: '' }],
      [{ name: 'x', value: 'y'.repeat(256) }],
      [{ name: '', value: 'y' }],
    ]
    for (const fields of refused) {
      const answer = await update(alice, { fields_attributes: fields })
      expect(answer.status).toBe(422)
      expect(answer.body.details.fields).toHaveLength(1)
    }
    expect(
      (await update(alice, { fields_attributes: [{ name: 'x'.repeat(255), value: 'y'.repeat(255) }] }))
        .status,
    ).toBe(200)
  })

  test('a link stays verified while it is the same', async () => {
    const alice = await app.person('alice')
    await update(alice, { fields_attributes: items })
    const at = '2026-02-03T04:05:06.000Z'
    const row = await app.ctx.db
      .selectFrom('accounts')
      .select('fields')
      .where('id', '=', alice.accountId)
      .executeTakeFirstOrThrow()
    const verified = (row.fields as Json[]).map((field) =>
      field.name === 'Site' ? { ...field, verified_at: at } : field,
    )
    await app.ctx.db
      .updateTable('accounts')
      .set((eb) => ({ fields: JSON.stringify(verified), version: eb('version', '+', 1) }))
      .where('id', '=', alice.accountId)
      .execute()
    const kept = (await update(alice, { fields_attributes: [items[1]!, items[0]!] })).ok()
    expect(kept.fields.map((field: Json) => field.verified_at)).toEqual([null, at])
    const changed = (
      await update(alice, { fields_attributes: [{ name: 'Site', value: 'https://example.org/x' }] })
    ).ok()
    expect(changed.fields[0].verified_at).toBeNull()
  })
})

describe('avatar and header', () => {
  test('a file is made 400 × 400, or 1500 × 500, and stored under a name nobody guesses [ACC-21]', async () => {
    const alice = await app.person('alice')
    const params = form([
      ['avatar', blob(await png('#ff0000'))],
      ['header', blob(await png('#00ff00'))],
    ])
    const body = (await update(alice, params)).ok()
    expect(pathOf(body.avatar)).toMatch(
      new RegExp(`^/media/avatars/${alice.accountId}/[A-Za-z0-9_-]{43}\\.png$`),
    )
    expect(body.avatar_static).toBe(body.avatar)
    for (const [url, width, height] of [
      [body.avatar, 400, 400],
      [body.header, 1500, 500],
    ] as const) {
      const file = await app.fetch(pathOf(url))
      expect(file.status).toBe(200)
      expect(await sharp(Buffer.from(await file.arrayBuffer())).metadata()).toMatchObject({
        width,
        height,
        format: 'png',
      })
    }
    expect((await alice.get('/api/v1/accounts/verify_credentials')).ok().avatar).toBe(body.avatar)
  })

  test('a data: URI will do [4-12]', async () => {
    const alice = await app.person('alice')
    const avatar = `data:image/png;base64,${(await png('#0000ff')).toString('base64')}`
    const body = (await update(alice, { avatar })).ok()
    expect((await app.fetch(pathOf(body.avatar))).headers.get('content-type')).toBe('image/png')
    expect((await update(alice, { avatar: 'data:image/png,abc' })).status).toBe(422)
    expect((await update(alice, { avatar: 'data:image/png;base64,AAAA' })).status).toBe(422)
  })

  test('an animation has a still copy', async () => {
    const alice = await app.person('alice')
    const body = (await update(alice, form([['avatar', blob(await gif(), 'image/gif')]]))).ok()
    expect(body.avatar).toMatch(/\.gif$/)
    expect(body.avatar_static).toMatch(/\.png$/)
    const still = await app.fetch(pathOf(body.avatar_static))
    expect(await sharp(Buffer.from(await still.arrayBuffer())).metadata()).toMatchObject({
      format: 'png',
      width: 400,
    })
  })

  test('the old files go when a new picture comes, and when it is taken away', async () => {
    const alice = await app.person('alice')
    const first = (
      await update(
        alice,
        form([
          ['avatar', blob(await gif(), 'image/gif')],
          ['avatar_description', 'moving'],
        ]),
      )
    ).ok()
    const second = (await update(alice, form([['avatar', blob(await png('#123456'))]]))).ok()
    expect((await app.fetch(pathOf(first.avatar))).status).toBe(404)
    expect((await app.fetch(pathOf(first.avatar_static))).status).toBe(404)
    expect((await app.fetch(pathOf(second.avatar))).status).toBe(200)
    const none = (await alice.delete('/api/v1/profile/avatar')).ok()
    expect(none.avatar).toBe('https://chat.example/avatars/original/missing.png')
    expect(none.avatar_description).toBe('')
    expect((await app.fetch(pathOf(second.avatar))).status).toBe(404)
    expect((await alice.delete('/api/v1/profile/avatar')).status).toBe(200)
  })

  test.each([
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a script behind a GIF header', Buffer.from('GIF89a/*<script>alert(1)</script>*/')],
    ['nothing', Buffer.alloc(0)],
  ])("%s under a picture's name is refused, and nothing else changes [CNT-11]", async (_name, bytes) => {
    const alice = await app.person('alice')
    const answer = await update(
      alice,
      form([
        ['avatar', blob(bytes)],
        ['display_name', 'changed'],
      ]),
    )
    expect(answer.status).toBe(422)
    const now = (await alice.get('/api/v1/accounts/verify_credentials')).ok()
    expect(now).toMatchObject({
      avatar: 'https://chat.example/avatars/original/missing.png',
      display_name: '',
    })
  })

  test('a claim of 50,000 × 50,000 pixels is refused at once [CNT-16]', async () => {
    const alice = await app.person('alice')
    const claim = Buffer.from(await png('#ffffff', 10))
    claim.writeUInt32BE(50_000, 16)
    claim.writeUInt32BE(50_000, 20)
    expect((await update(alice, form([['avatar', blob(claim)]]))).status).toBe(422)
  })

  test('more than 8 MB are refused', async () => {
    const alice = await app.person('alice')
    const large = Buffer.concat([await png('#ffffff'), Buffer.alloc(9 * 1024 * 1024)])
    const answer = await update(alice, form([['header', blob(large)]]))
    expect(answer.status).toBe(422)
    expect(answer.body.error).toContain('8 MB')
  })

  test('where and with what it was taken is not in what is served [CNT-15]', async () => {
    const alice = await app.person('alice')
    const photo = await sharp({ create: { width: 80, height: 40, channels: 3, background: '#888888' } })
      .jpeg()
      .withExif({ IFD0: { Model: 'secret camera' }, IFD3: { GPSLatitude: '48/1 8/1 0/1' } })
      .toBuffer()
    expect(photo.includes('secret camera')).toBe(true)
    const body = (await update(alice, form([['avatar', blob(photo, 'image/jpeg')]]))).ok()
    const served = Buffer.from(await (await app.fetch(pathOf(body.avatar))).arrayBuffer())
    expect(served.includes('secret camera')).toBe(false)
    expect((await sharp(served).metadata()).exif).toBeUndefined()
  })

  test('a second picture that is refused leaves no trace of the first', async () => {
    const alice = await app.person('alice')
    const bad = form([
      ['avatar', blob(await png('#ff0000'))],
      ['header', blob(Buffer.from('no'))],
    ])
    expect((await update(alice, bad)).status).toBe(422)
    const files = await filesBelow(`${app.ctx.config.dataDir}/media`)
    expect(files.filter((name) => name.includes(alice.accountId))).toEqual([])
  })
})

describe('profile', () => {
  test('answers what the owner wrote, with null for pictures that are not there', async () => {
    const alice = await app.person('alice')
    await update(alice, { note: '#tag', fields_attributes: [{ name: 'a', value: 'https://example.org' }] })
    expect((await alice.get('/api/v1/profile')).ok()).toEqual({
      id: alice.accountId,
      display_name: '',
      note: '#tag',
      fields: [{ name: 'a', value: 'https://example.org', verified_at: null }],
      avatar: null,
      avatar_static: null,
      avatar_description: '',
      header: null,
      header_static: null,
      header_description: '',
      locked: false,
      bot: false,
      hide_collections: null,
      discoverable: null,
      indexable: false,
      show_media: true,
      show_media_replies: true,
      show_featured: true,
      attribution_domains: [],
    })
  })

  test('PATCH changes it, the tabs included', async () => {
    const alice = await app.person('alice')
    const body = (
      await alice.patch('/api/v1/profile', { display_name: 'A', show_media: false, show_featured: 'false' })
    ).ok()
    expect(body).toMatchObject({
      display_name: 'A',
      show_media: false,
      show_media_replies: true,
      show_featured: false,
    })
    expect((await app.anonymous.get(`/api/v1/accounts/${alice.accountId}`)).ok()).toMatchObject({
      show_media: false,
    })
    const header = form([['header', blob(await png('#abcdef'))]])
    const picture = (await alice.patch('/api/v1/profile', header)).ok().header
    expect(pathOf(picture)).toMatch(/^\/media\/headers\//)
    expect((await alice.delete('/api/v1/profile/header')).ok().header).toBe(
      'https://chat.example/headers/original/missing.png',
    )
    app.clock.advance(hours(1))
    expect((await alice.get('/api/v1/profile')).ok().header).toBeNull()
  })

  test('scopes', async () => {
    const alice = await app.person('alice')
    const reader = await app.withScopes(alice, ['profile'])
    expect((await reader.get('/api/v1/profile')).status).toBe(200)
    for (const answer of [
      await reader.patch('/api/v1/profile', {}),
      await reader.delete('/api/v1/profile/avatar'),
      await reader.delete('/api/v1/profile/header'),
    ]) {
      expect(answer.status).toBe(403)
    }
    const writer = await app.withScopes(alice, ['write:accounts'])
    expect((await writer.get('/api/v1/profile')).status).toBe(403)
    expect((await writer.patch('/api/v1/profile', {})).status).toBe(200)
    expect((await app.anonymous.get('/api/v1/profile')).status).toBe(401)
  })
})
