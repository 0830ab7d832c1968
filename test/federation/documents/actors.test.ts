// Actors of other servers: how they become accounts here, and what of their documents is believed.
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { findRemoteActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { ensureActor, saveActor } from '#federation/ingest/actors/actor.ts'
import type { Json } from '#test/client/client.ts'
import { useNetwork } from '#test/servers/network.ts'
import { startRemote } from '#test/servers/remote-server.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { asId, type BulkImportId } from '#lib/id.ts'

const network = useNetwork()

async function setUp() {
  const app = await network.server()
  return { app, peer: await network.peer(), person: await app.person('ann') }
}

type App = Awaited<ReturnType<typeof setUp>>['app']

const row = async ({ ctx }: App, uri: string): Promise<Json> =>
  (await sql`select * from accounts where uri = ${uri}`.execute(ctx.db)).rows[0]

async function blockHost({ ctx }: App, domain: string, block: { severity: string; rejectMedia?: boolean }) {
  await sql`
    insert into domain_blocks (id, domain, severity, reject_media)
    values (${ctx.newId()}, ${domain}, ${block.severity}, ${block.rejectMedia ?? false})`.execute(ctx.db)
}

const collection = (id: string, more: object) => ({ id, type: 'OrderedCollection', totalItems: 0, ...more })

describe('handles', () => {
  test('a handle is looked up with signed requests, stored and shown; a known one is not asked for again', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('bob', { name: 'Bob', summary: '<p>Hi <script>x</script></p>' })
    const found = await app.find(person, actor.handle)
    expect(found).toMatchObject({
      acct: actor.handle,
      display_name: 'Bob',
      note: '<p>Hi </p>',
      uri: actor.uri,
    })
    const asked = peer.requests.filter((one) => one.path === '/users/bob')
    expect(asked).toHaveLength(1)
    expect(await asked[0]?.verify()).toMatchObject({ problem: null })
    await app.settle()
    const before = peer.requests.length
    expect((await app.find(person, `@${actor.handle.toUpperCase()}`)).id).toBe(found.id)
    expect((await app.find(person, actor.uri)).id).toBe(found.id)
    expect(peer.requests).toHaveLength(before)
  })

  test('a known, fresh actor costs one query', async () => {
    const { app, peer } = await setUp()
    const { uri } = await peer.actor('one')
    await ensureActor(app.ctx, uri)
    const queries = await app.countQueries(async () => {
      expect(await ensureActor(app.ctx, uri)).toMatchObject({ uri, domain: peer.domain, suspended: false })
    })
    expect(queries).toHaveLength(1)
  })

  test('look-ups need somebody who is signed in', async () => {
    const { app, peer } = await setUp()
    const actor = await peer.actor('hidden')
    const query = { q: `@${actor.handle}`, resolve: true }
    expect((await app.anonymous.get('/api/v2/search', query)).status).toBe(401)
    expect((await app.anonymous.get('/api/v1/accounts/lookup', { acct: actor.handle })).status).toBe(404)
    expect(peer.requests).toHaveLength(0)
  })

  test('a subject of another domain must be confirmed there [FED-39]', async () => {
    const { app, peer, person } = await setUp()
    const other = await network.peer('127.0.0.3')
    const actor = await peer.actor('eve')
    const links = [{ rel: 'self', type: 'application/activity+json', href: actor.uri }]
    peer.finger(`acct:${actor.handle}`, { subject: `acct:eve@${other.domain}`, links })
    expect(await app.find(person, actor.handle)).toBeNull()
    expect(await ensureActor(app.ctx, actor.uri)).toBeNull()
    await network.advance(600_000)
    other.finger(`acct:eve@${other.domain}`, { subject: `acct:eve@${other.domain}`, links })
    expect(await app.find(person, actor.handle)).toMatchObject({
      acct: `eve@${other.domain}`,
      uri: actor.uri,
    })
  })

  test('an actor whose handle names another actor is not stored', async () => {
    const { app, peer } = await setUp()
    const [victim, thief] = [await peer.actor('victim'), await peer.actor('thief')]
    thief.change({ preferredUsername: 'victim' })
    expect(await ensureActor(app.ctx, thief.uri)).toBeNull()
    expect(await ensureActor(app.ctx, victim.uri)).toMatchObject({ username: 'victim' })
    await saveActor(app.ctx, { ...thief.document(), preferredUsername: 'thief', webfinger: victim.handle })
    expect(await row(app, thief.uri)).toBeUndefined()
  })

  test('host-meta is asked where WebFinger is not', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('meta')
    peer.put('/.well-known/webfinger', '{}', { status: 404 })
    peer.put(
      '/.well-known/host-meta',
      `<XRD><Link rel="lrdd" type="application/xrd+xml" template="${peer.url('/finger?r={uri}')}"/></XRD>`,
      { type: 'application/xrd+xml' },
    )
    const links = [{ rel: 'self', type: 'application/activity+json', href: actor.uri }]
    peer.put('/finger', { subject: `acct:${actor.handle}`, links }, { type: 'application/jrd+json' })
    expect(await app.find(person, actor.handle)).toMatchObject({ uri: actor.uri })
  })
})

describe('documents', () => {
  test('a document that says its id is elsewhere changes nothing there [FED-14]', async () => {
    const { app, peer } = await setUp()
    const other = await network.peer('127.0.0.3')
    const victim = await other.actor('victim')
    await ensureActor(app.ctx, victim.uri)
    const before = await row(app, victim.uri)
    peer.put('/users/evil', { ...victim.document(), name: 'Evil', inbox: peer.url('/inbox') })
    peer.finger(`acct:evil@${peer.domain}`, {
      subject: `acct:evil@${peer.domain}`,
      links: [{ rel: 'self', type: 'application/activity+json', href: peer.url('/users/evil') }],
    })
    expect(await ensureActor(app.ctx, peer.url('/users/evil'))).toBeNull()
    expect(await row(app, victim.uri)).toEqual(before)
  })

  test('pages and collections count only on the host of the id [FED-17]', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('far', {
      url: 'https://victim.example/@far',
      followers: 'https://victim.example/users/x/followers',
      featured: 'https://victim.example/featured',
    })
    expect(await app.find(person, actor.handle)).toMatchObject({ url: actor.uri })
    expect(await row(app, actor.uri)).toMatchObject({ followers_url: null, featured_url: null })
  })

  test('endless names, texts, fields, aliases and tags are cut [FED-44]', async () => {
    const { app, peer, person } = await setUp()
    const [long, text] = ['a'.repeat(100_000), 'a'.repeat(3000)]
    const actor = await peer.actor('long', {
      name: long,
      summary: `<p>${long}</p>`,
      attachment: Array.from({ length: 60 }, () => ({ type: 'PropertyValue', name: text, value: text })),
      alsoKnownAs: Array.from({ length: 5000 }, (_, index) => `https://a.example/${index}`),
      attributionDomains: Array.from({ length: 5000 }, (_, index) => `d${index}.example`),
      tag: Array.from({ length: 500 }, (_, index) => ({
        type: 'Emoji',
        name: `:e${index}:`,
        icon: { type: 'Image', url: peer.url('/none.png') },
      })),
    })
    const found = await app.find(person, actor.handle)
    expect(found.display_name).toHaveLength(2048)
    expect(found.note.length).toBeLessThan(20_600)
    expect(found.fields).toHaveLength(50)
    expect(found.fields[0].value.length).toBeLessThan(2100)
    const stored = await row(app, actor.uri)
    expect(stored.also_known_as).toHaveLength(256)
    expect(stored.attribution_domains).toHaveLength(256)
    const { rows } = await sql`select 1 from custom_emojis where domain = ${peer.domain}`.execute(app.ctx.db)
    expect(rows).toHaveLength(100)
  })

  test.each([
    ['no inbox', { inbox: undefined }],
    ['an inbox that is no address', { inbox: 'javascript:alert(1)' }],
    ['no name', { preferredUsername: undefined }],
    ['a name with a path', { preferredUsername: '../admin' }],
    ['an endless name', { preferredUsername: 'a'.repeat(3000) }],
    ['another type', { type: 'Note' }],
    ['no id', { id: undefined }],
  ])('an actor with %s is none', async (_, overrides) => {
    const { app, peer } = await setUp()
    const actor = await peer.actor('odd', overrides)
    expect(await ensureActor(app.ctx, actor.uri)).toBeNull()
  })

  test('quotes and control characters are stored as they are, or refused [FED-49]', async () => {
    const { app, peer } = await setUp()
    const inbox = peer.url("/inbox?a=';drop%20table%20accounts;--")
    const actor = await peer.actor('sly', { inbox, name: "Robert'); \u0000\u0007drop table accounts;--" })
    expect(await ensureActor(app.ctx, actor.uri)).toMatchObject({ inboxUrl: inbox })
    expect((await row(app, actor.uri)).display_name).toBe("Robert'); drop table accounts;--")
  })

  test('two types, lists in place of one, and a picture as a bare address are read', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('odd2', {
      type: ['Service', 'schema:Thing'],
      icon: [{ type: 'Link', href: peer.url('/a.png') }],
      publicKey: [],
      url: [{ type: 'Link', mediaType: 'text/html', href: peer.url('/profile') }],
      manuallyApprovesFollowers: 'true',
    })
    expect(await app.find(person, actor.handle)).toMatchObject({
      bot: true,
      locked: true,
      url: peer.url('/profile'),
    })
    expect(await row(app, actor.uri)).toMatchObject({ avatar_remote_url: peer.url('/a.png') })
  })
})

describe('what changes', () => {
  test('a document is read again when it is older than a day, while nobody waits', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('stale', { name: 'Before' })
    const { id } = await app.find(person, actor.handle)
    await app.settle()
    actor.change({ name: 'After' })
    const shown = async () => (await person.get(`/api/v1/accounts/${id}`)).ok().display_name
    await ensureActor(app.ctx, actor.uri)
    await app.settle()
    expect(await shown()).toBe('Before')
    await network.advance(25 * 3_600_000)
    peer.requests.length = 0
    await ensureActor(app.ctx, actor.uri)
    await ensureActor(app.ctx, actor.uri)
    expect(peer.requests).toHaveLength(0)
    await app.settle()
    expect(await shown()).toBe('After')
    expect(peer.requests.filter((one) => one.path === '/users/stale')).toHaveLength(1)
  })

  test('suspended by its own server, and no more', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('sus', { name: 'Sus' })
    const { id } = await app.find(person, actor.handle)
    await saveActor(app.ctx, actor.change({ suspended: true, name: '' }))
    expect(await findRemoteActor(app.ctx, actor.uri)).toMatchObject({ suspended: true })
    expect((await person.get(`/api/v1/accounts/${id}`)).status).toBe(410)
    await saveActor(app.ctx, actor.change({ suspended: undefined, name: 'Sus' }))
    expect((await person.get(`/api/v1/accounts/${id}`)).ok()).toMatchObject({ display_name: 'Sus' })
    await sql`update accounts set suspended_at = now() where id = ${id}`.execute(app.ctx.db)
    await saveActor(app.ctx, actor.document())
    expect(await findRemoteActor(app.ctx, actor.uri)).toMatchObject({ suspended: true })
  })

  test('gone at its server, an account goes here and never comes back', async () => {
    const { app, peer } = await setUp()
    const actor = await peer.actor('gone')
    await ensureActor(app.ctx, actor.uri)
    peer.gone('/users/gone')
    expect(await ensureActor(app.ctx, actor.uri, { fresh: true })).toBeNull()
    await app.settle()
    expect(await findRemoteActor(app.ctx, actor.uri)).toBeNull()
    expect(await ensureActor(app.ctx, actor.uri, { document: actor.document() })).toBeNull()
    expect(await saveActor(app.ctx, actor.document())).toBeNull()
  })

  test('a chain of moves, and a circle of them, is followed a few steps only [FED-47]', async () => {
    const { app, peer } = await setUp()
    for (let step = 0; step < 10; step += 1) {
      await peer.actor(`step${step}`, { movedTo: peer.url(`/users/step${step + 1}`) })
    }
    const first = await ensureActor(app.ctx, peer.url('/users/step0'))
    expect(first).not.toBeNull()
    expect(peer.requests.filter((one) => one.path.startsWith('/users/'))).toHaveLength(3)
    await peer.actor('left', { movedTo: peer.url('/users/right') })
    await peer.actor('right', { movedTo: peer.url('/users/left') })
    const both = await Promise.all(
      ['left', 'right'].map((name) => ensureActor(app.ctx, peer.url(`/users/${name}`))),
    )
    expect(both.map((one) => one?.username)).toEqual(['left', 'right'])
    expect((await row(app, peer.url('/users/left'))).moved_to_account_id).toBe(both[1]?.id)
  })
})

test('a domain cannot make up more than some new servers below it in a minute [FED-47]', async () => {
  const { app } = await setUp()
  const tried = async (host: string) => {
    app.logLines.length = 0
    await ensureActor(app.ctx, `http://${host}/users/a`)
    const lines = app.logLines.map((line) => JSON.stringify(line)).filter((line) => line.includes(host))
    return lines.some((line) => !line.includes('too many new servers'))
  }
  const outcomes: boolean[] = []
  for (let count = 0; count < 12; count += 1) outcomes.push(await tried(`s${count}.many.invalid`))
  expect(outcomes).toEqual([...Array(10).fill(true), false, false])
  await network.advance(61_000)
  expect(await tried('late.many.invalid')).toBe(true)
})

describe('servers', () => {
  test('a suspended server is not asked, under none of its names [FED-36]', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('blocked')
    await blockHost(app, peer.host.replace(/:.*/, ''), { severity: 'suspend' })
    expect(await app.find(person, actor.handle)).toBeNull()
    expect(await app.find(person, actor.uri)).toBeNull()
    expect(await ensureActor(app.ctx, actor.uri, { document: actor.document() })).toBeNull()
    expect(peer.connections).toBe(0)
    await sql`delete from domain_blocks`.execute(app.ctx.db)
  })

  test('a silenced server has limited accounts, and none of its pictures are taken where media are rejected', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('quiet', { icon: { type: 'Image', url: peer.url('/a.png') } })
    await blockHost(app, peer.domain, { severity: 'silence', rejectMedia: true })
    expect(await app.find(person, actor.handle)).toMatchObject({ limited: true })
    await app.settle()
    expect(peer.requests.map((one) => one.path)).not.toContain('/a.png')
    await sql`delete from domain_blocks`.execute(app.ctx.db)
  })

  test('in limited federation only servers that are allowed are asked', async () => {
    const app = await network.server('limited', { env: { LIMITED_FEDERATION_MODE: 'true' } })
    const peer = await network.peer()
    const { uri } = await peer.actor('far')
    expect(await ensureActor(app.ctx, uri)).toBeNull()
    expect(peer.connections).toBe(0)
    await sql`insert into domain_allows (id, domain) values (1, ${peer.domain})`.execute(app.ctx.db)
    expect(await ensureActor(app.ctx, uri)).not.toBeNull()
  })

  test('NodeInfo is read once; what points inside is not followed [SSRF-13]', async () => {
    const { app, peer } = await setUp()
    const inside = await startRemote('::1')
    const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0'
    await ensureActor(app.ctx, (await peer.actor('known')).uri)
    await app.settle()
    const { rows } = await sql<Json>`select * from hosts where host = ${peer.domain}`.execute(app.ctx.db)
    expect(rows[0]).toMatchObject({ software: 'kit', software_version: '1.0.0' })
    const other = await network.peer('127.0.0.4')
    other.put(
      '/.well-known/nodeinfo',
      { links: [{ rel, href: inside.url('/') }] },
      { type: 'application/json' },
    )
    other.put('/.well-known/webfinger', '', { status: 302, headers: { location: inside.url('/wf') } })
    const actor = await other.actor('sly', { icon: { type: 'Image', url: inside.url('/a.png') } })
    expect(await ensureActor(app.ctx, actor.uri)).toBeNull()
    other.remove('/.well-known/webfinger')
    await network.advance(600_000)
    expect(await ensureActor(app.ctx, actor.uri)).not.toBeNull()
    await app.settle()
    expect(inside.connections).toBe(0)
  })
})

describe('what belongs to an account', () => {
  test('pictures and emoji are copied', async () => {
    const { app, peer, person } = await setUp()
    const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    peer.put('/a.png', png, { type: 'image/png' })
    const actor = await peer.actor('pic', {
      name: 'Pic :cat:',
      icon: { type: 'Image', url: peer.url('/a.png'), summary: 'Me' },
      tag: [
        {
          type: 'Emoji',
          id: peer.url('/e'),
          name: ':cat:',
          icon: { type: 'Image', url: peer.url('/a.png') },
        },
      ],
    })
    const { id } = await app.find(person, actor.handle)
    await app.settle()
    const shown = (await person.get(`/api/v1/accounts/${id}`)).ok()
    expect(shown.avatar).toMatch(new RegExp(`/media/avatars/${id}/`))
    expect(shown).toMatchObject({ avatar_description: 'Me', emojis: [{ shortcode: 'cat' }] })
    await saveActor(app.ctx, actor.change({ icon: undefined }))
    expect((await person.get(`/api/v1/accounts/${id}`)).ok().avatar).toMatch(/missing/)
  })

  test('pictures and emoji have addresses from the first answer on, which fetch them', async () => {
    const { app, peer, person } = await setUp()
    const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'blue' } })
      .png()
      .toBuffer()
    const icon = (name: string) => ({ type: 'Image', url: peer.url(name) })
    const actor = await peer.actor('early', {
      name: 'Early :dog:',
      icon: icon('/early.png'),
      image: icon('/late.png'),
      tag: [{ type: 'Emoji', id: peer.url('/dog'), name: ':dog:', icon: icon('/dog.png') }],
    })
    for (const name of ['/early.png', '/dog.png']) peer.put(name, png, { type: 'image/png' })
    const found = await app.find(person, actor.handle)
    const pathOf = (url: string) => url.slice(app.baseUrl.length)
    expect(pathOf(found.avatar)).toBe(`/media_proxy/accounts/${found.id}/avatar`)
    const asked = (name: string) => peer.requests.filter(({ path }) => path === name).length
    const both = await Promise.all([app.fetch(found.avatar), app.fetch(found.avatar_static)])
    expect(both.map(({ status }) => status)).toEqual([302, 302])
    expect(asked('/early.png')).toBe(1)
    const location = both[0]?.headers.get('location') ?? ''
    expect((await app.fetch(location)).headers.get('content-type')).toMatch(/^image\//)
    expect((await app.fetch(found.emojis[0].url)).status).toBe(302)
    // One that failed is left alone for a while, and then asked for again.
    for (const _ of [1, 2]) expect((await app.fetch(found.header)).status).toBe(404)
    expect(asked('/late.png')).toBe(1)
    peer.put('/late.png', png, { type: 'image/png' })
    await network.advance(600_000)
    expect((await app.fetch(found.header)).status).toBe(302)
    const now = (await person.get(`/api/v1/accounts/${found.id}`)).ok()
    expect([now.avatar, now.header].map((url) => pathOf(url).split('/')[1])).toEqual(['media', 'media'])
    expect((await app.fetch(found.avatar)).headers.get('location')).toBe(now.avatar)
  })

  test('only a block of their own server, or of one above it, takes the addresses of pictures and emoji away', async () => {
    const { app, peer, person } = await setUp()
    for (const domain of ['elsewhere.example', 'example', `x.${peer.host}`, `x${peer.host}`])
      await blockHost(app, domain, { severity: 'suspend' })
    const icon = { type: 'Image', url: peer.url('/nowhere.png') }
    const tag = [{ type: 'Emoji', id: peer.url('/owl'), name: ':owl:', icon }]
    const { uri, handle } = await peer.actor('other', { name: 'Other :owl:', icon, tag })
    const { id, avatar, emojis } = await app.find(person, handle)
    expect([avatar, emojis.length]).toEqual([`${app.baseUrl}/media_proxy/accounts/${id}/avatar`, 1])
    await blockHost(app, peer.host.replace(/:\d+$/, ''), { severity: 'noop', rejectMedia: true })
    await sql`update accounts set version = version + 1 where uri = ${uri}`.execute(app.ctx.db)
    const shown = (await person.get(`/api/v1/accounts/${id}`)).ok()
    expect([shown.avatar, shown.emojis]).toEqual([expect.stringContaining('missing'), []])
    await sql`delete from domain_blocks`.execute(app.ctx.db)
  })

  test('the way to pictures leads to nobody of this server, none who is suspended, and no other address', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('shut', { icon: { type: 'Image', url: 'http://10.0.0.1/a.png' } })
    const { id, avatar } = await app.find(person, actor.handle)
    expect((await app.fetch(avatar)).status).toBe(404)
    await sql`update accounts set suspended_at = now() where id = ${id}`.execute(app.ctx.db)
    const paths = [`accounts/${id}/avatar`, `accounts/${person.accountId}/avatar`, `accounts/${id}/inbox`]
    for (const path of [...paths, 'accounts/1/avatar', 'emojis/1'])
      expect([path, (await app.fetch(`/media_proxy/${path}`)).status]).toEqual([path, 404])
  })

  test('counters, pins and tags come from bounded pages [FED-48]', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('much', { featuredTags: peer.url('/users/much/tags') })
    const path = '/users/much'
    peer.put(`${path}/followers`, collection(peer.url(`${path}/followers`), { totalItems: 12, first: 'x' }))
    peer.put(`${path}/outbox`, collection(peer.url(`${path}/outbox`), { totalItems: 1e30 }))
    let pages = 0
    peer.answer(`${path}/featured`, (request, response) => {
      pages += 1
      const id = peer.url(request.url ?? '')
      const next = `${peer.url(`${path}/featured`)}?page=${pages}`
      response.writeHead(200, { 'content-type': 'application/activity+json' })
      response.end(JSON.stringify({ id, type: 'OrderedCollection', orderedItems: [`${id}#x`], next }))
    })
    const tags = [{ type: 'Hashtag', name: '#Cats' }]
    peer.put(`${path}/tags`, collection(peer.url(`${path}/tags`), { totalItems: 1, items: tags }))
    const { id } = await app.find(person, actor.handle)
    await app.settle()
    expect((await person.get(`/api/v1/accounts/${id}`)).ok()).toMatchObject({
      followers_count: 12,
      statuses_count: 0,
    })
    expect(pages).toBeLessThan(5)
    expect((await person.get(`/api/v1/accounts/${id}/featured_tags`)).ok()).toMatchObject([{ name: 'Cats' }])
  })

  test('a page that links back verifies the field of a profile', async () => {
    const { app, peer } = await setUp()
    const person = await app.person('linked')
    const profile = `${app.baseUrl}/@${person.username}`
    peer.put('/home', `<a class="x" rel="nofollow me" href="${profile}">me</a>`, { type: 'text/html' })
    peer.put('/other', `<a href="${profile}">not me</a>`, { type: 'text/html' })
    const fields_attributes = [
      { name: 'Home', value: peer.url('/home') },
      { name: 'Other', value: peer.url('/other') },
    ]
    await person.patch('/api/v1/accounts/update_credentials', { fields_attributes })
    await app.settle()
    const { fields } = (await person.get(`/api/v1/accounts/${person.accountId}`)).ok()
    expect(fields.map((field: Json) => field.verified_at !== null)).toEqual([true, false])
  })
})

describe('who asks', () => {
  test('following by address looks the account up; one that only speaks OStatus is an error [6-21]', async () => {
    const { peer, person } = await setUp()
    const actor = await peer.actor('target')
    expect((await person.post('/api/v1/follows', { uri: actor.handle })).ok()).toMatchObject({
      acct: actor.handle,
    })
    const old = `old@${peer.domain}`
    const rel = 'http://schemas.google.com/g/2010#updates-from'
    peer.finger(`acct:${old}`, { subject: `acct:${old}`, links: [{ rel, href: peer.url('/feed.atom') }] })
    const refused = await person.post('/api/v1/follows', { uri: old })
    expect(refused.status).toBe(422)
    expect(refused.body.error).toMatch(/OStatus/)
    expect((await person.post('/api/v1/follows', { uri: `nobody@${peer.domain}` })).status).toBe(404)
  })

  test('a mention of somebody unknown is looked up before the post is made', async () => {
    const { peer, person } = await setUp()
    const actor = await peer.actor('named')
    const status = await person.say(`Hi @${actor.handle} and @nobody@${peer.domain}`)
    expect(status.mentions).toMatchObject([{ acct: actor.handle }])
  })

  test('/authorize_interaction leads home, shows who it is, and follows', async () => {
    const { app, peer } = await setUp()
    const actor = await peer.actor('seen', { name: 'Seen <b>' })
    const path = `/authorize_interaction?${new URLSearchParams({ uri: `acct:${actor.handle}` })}`
    const stranger = await newBrowser(app).get(path)
    expect(stranger.location).toMatch(/^\/auth\/sign_in\?return_to=%2Fauthorize_interaction/)
    expect(peer.requests).toHaveLength(0)
    const person = await personWithPassword(app, 'visitor')
    const browser = await signedIn(app, person)
    const page = await browser.get(path)
    expect(page.text).toContain('Seen &lt;b&gt;')
    expect((await browser.submit(page.form('/authorize_interaction'))).status).toBe(200)
    await app.settle()
    expect((await peer.received('Follow'))[0]?.json).toMatchObject({ object: actor.uri })
    expect((await browser.get(`/authorize_interaction?uri=${peer.url('/none')}`)).status).toBe(404)
  })

  test('an import looks up whom it does not know', async () => {
    const { app, peer, person } = await setUp()
    const actor = await peer.actor('imported')
    const { rows } = await sql<{ id: string }>`
      insert into bulk_imports (id, account_id, type, overwrite, state, original_filename, total_items)
      values (${app.ctx.newId()}, ${person.accountId}, 'following', false, 'scheduled', 'follows.csv', 1)
      returning id`.execute(app.ctx.db)
    const importId = rows[0]?.id as string
    await sql`
      insert into bulk_import_rows (id, bulk_import_id, line, data)
      values (${app.ctx.newId()}, ${importId}, 1, ${JSON.stringify({ acct: actor.handle })})`.execute(
      app.ctx.db,
    )
    await app.ctx.transaction((tx) =>
      tx.emit({ type: 'import.confirmed', importId: asId<BulkImportId>(importId) }),
    )
    await app.settle()
    expect((await peer.received('Follow'))[0]?.json).toMatchObject({ object: actor.uri })
  })
})
