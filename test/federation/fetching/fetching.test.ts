// How documents of other servers are fetched, and which of them are believed.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { fetchDocument } from '#federation/fetch/fetch-document.ts'
import { fetchPageOrDocument } from '#federation/fetch/fetch-page-or-document.ts'
import { fetchItems } from '#federation/fetch/collection.ts'
import { ensureActor } from '#federation/ingest/actors/actor.ts'
import { costsNoMore } from '#test/client/growth-of-requests.ts'
import { useNetwork } from '#test/servers/network.ts'
import { startRemote } from '#test/servers/remote-server.ts'
import type { Peer } from '#test/peer/peer.ts'

const network = useNetwork()

async function setUp() {
  const app = await network.server()
  return { app, ctx: app.ctx, peer: await network.peer() }
}

const put = (peer: Peer, path: string, more: object = {}) =>
  peer.put(path, { id: peer.url(path), type: 'Note', ...more })

describe('what is a document', () => {
  test.each([
    'text/html',
    'text/plain',
    'image/png',
    'application/json',
    'application/ld+json',
    'application/ld+json; profile="https://other.example/"',
    'application/octet-stream',
  ])('%s is refused [FED-15] [SSRF-10]', async (type) => {
    const { ctx, peer } = await setUp()
    peer.put('/note', { id: peer.url('/note'), type: 'Note' }, { type })
    expect(await fetchDocument(ctx, peer.url('/note'))).toMatchObject({ kind: 'refused' })
  })

  test.each([
    'application/activity+json',
    'application/activity+json; charset=utf-8',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    'Application/LD+JSON; charset=utf-8; profile="https://x.example/ https://www.w3.org/ns/activitystreams"',
  ])('%s is taken', async (type) => {
    const { ctx, peer } = await setUp()
    peer.put('/note', { id: peer.url('/note'), type: 'Note' }, { type })
    expect(await fetchDocument(ctx, peer.url('/note'))).toMatchObject({
      kind: 'document',
      uri: peer.url('/note'),
    })
  })

  test.each([
    ['no JSON', '{"id":'],
    ['a list', '[]'],
    ['nothing', ''],
    ['without id', '{"type":"Note"}'],
    ['nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('%s is refused [FED-31]', async (_, body) => {
    const { ctx, peer } = await setUp()
    peer.put('/note', body)
    expect(await fetchDocument(ctx, peer.url('/note'))).toMatchObject({ kind: 'refused' })
  })

  test('unknown, huge and recursive contexts neither are asked for nor change anything [FED-30]', async () => {
    const { ctx, peer } = await setUp()
    put(peer, '/context')
    const context = [
      peer.url('/context'),
      ...Array.from({ length: 1000 }, () => ({ '@import': peer.url('/context') })),
    ]
    let count = 0
    const fetchActor = async (more: object) => {
      const username = `ctx${count++}`
      const actor = await peer.actor(username, { ...more })
      expect(await ensureActor(ctx, actor.uri)).toMatchObject({ username })
    }
    const asUsual = await costsNoMore(
      () => fetchActor({ '@context': context }),
      () => fetchActor({}),
      { max: 5 },
    )
    expect(asUsual).toBe(true)
    expect(peer.requests.map((one) => one.path)).not.toContain('/context')
  })

  test('what is longer than its kind may be is cut off [SSRF-8]', async () => {
    const { ctx, peer } = await setUp()
    peer.answer('/note', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/activity+json' })
      const timer = setInterval(() => response.write(' '.repeat(65_536)), 1)
      response.on('close', () => clearInterval(timer))
    })
    expect(await fetchDocument(ctx, peer.url('/note'))).toMatchObject({ kind: 'refused' })
  })

  test('gone and not found are told apart from refused and away', async () => {
    const { ctx, peer } = await setUp()
    peer.gone('/gone')
    peer.put('/tombstone', { id: peer.url('/tombstone'), type: 'Tombstone' })
    peer.put('/no', '', { status: 403 })
    peer.put('/busy', '', { status: 503 })
    const kinds = async (path: string) => (await fetchDocument(ctx, peer.url(path))).kind
    expect(await fetchDocument(ctx, peer.url('/gone'))).toEqual({ kind: 'gone', status: 410 })
    expect(await fetchDocument(ctx, peer.url('/none'))).toEqual({ kind: 'gone', status: 404 })
    expect(await kinds('/tombstone')).toBe('gone')
    expect(await kinds('/no')).toBe('refused')
    expect(await kinds('/busy')).toBe('failed')
    await peer.goAway()
    expect(await kinds('/away')).toBe('failed')
  })
})

describe('who may say it', () => {
  test('a document that names another id of its server is fetched from there', async () => {
    const { ctx, peer } = await setUp()
    peer.put('/@bob/1', { id: peer.url('/notes/1'), type: 'Note', content: 'alias' })
    put(peer, '/notes/1', { content: 'true' })
    const fetched = await fetchDocument(ctx, peer.url('/@bob/1'))
    expect(fetched).toMatchObject({
      kind: 'document',
      uri: peer.url('/notes/1'),
      document: { content: 'true' },
    })
  })

  test('what another server says of an id counts only as far as the id says the same [FED-16]', async () => {
    const { ctx, peer } = await setUp()
    const other = await network.peer('127.0.0.3')
    peer.put('/open', '', { status: 302, headers: { location: other.url('/evil') } })
    other.put('/evil', { id: peer.url('/open'), type: 'Note', content: 'evil' })
    expect(await fetchDocument(ctx, peer.url('/open'))).toMatchObject({ kind: 'refused' })
    other.put('/evil2', { id: peer.url('/notes/2'), type: 'Note', content: 'evil' })
    put(peer, '/notes/2', { content: 'true' })
    expect(await fetchDocument(ctx, other.url('/evil2'))).toMatchObject({ document: { content: 'true' } })
    other.put('/evil3', { id: peer.url('/notes/3'), type: 'Note', content: 'evil' })
    expect(await fetchDocument(ctx, other.url('/evil3'))).toMatchObject({ kind: 'gone' })
  })

  test('ids that point at each other are followed once', async () => {
    const { ctx, peer } = await setUp()
    peer.put('/a', { id: peer.url('/b'), type: 'Note' })
    peer.put('/b', { id: peer.url('/a'), type: 'Note' })
    expect(await fetchDocument(ctx, peer.url('/a'))).toMatchObject({ kind: 'refused' })
    expect(peer.requests).toHaveLength(2)
  })

  test('this server is never asked over the network [SSRF-16]', async () => {
    const { app, ctx, peer } = await setUp()
    const own = `${app.baseUrl}/users/nobody`
    expect(await fetchDocument(ctx, own)).toMatchObject({ kind: 'refused' })
    peer.put('/to-own', '', { status: 302, headers: { location: own } })
    expect(await fetchDocument(ctx, peer.url('/to-own'))).toMatchObject({ kind: 'refused' })
    peer.put('/as-own', { id: own, type: 'Person' })
    expect(await fetchDocument(ctx, peer.url('/as-own'))).toMatchObject({ kind: 'refused' })
  })
})

describe('how it is asked for', () => {
  test('signed by the instance actor, or by an account', async () => {
    const { app, ctx, peer } = await setUp()
    const person = await app.person('asker')
    peer.requireSignedGet()
    put(peer, '/one')
    put(peer, '/two')
    expect((await fetchDocument(ctx, peer.url('/one'))).kind).toBe('document')
    expect((await fetchDocument(ctx, peer.url('/two'), { asAccountId: person.accountId })).kind).toBe(
      'document',
    )
    const keyIds = peer.requests.map((one) => /keyId="([^"]+)"/.exec(String(one.headers['signature']))?.[1])
    expect(keyIds).toContain(`${app.baseUrl}/actor#main-key`)
    expect(keyIds).toContain(`${app.baseUrl}/users/${person.username}#main-key`)
  })

  test('the kind of signature that a server takes is tried once and remembered', async () => {
    const { ctx, peer } = await setUp()
    let knocks = 0
    for (const path of ['/one', '/two']) {
      peer.answer(path, (request, response) => {
        knocks += 1
        const isTaken = request.headers['signature-input'] !== undefined
        response.writeHead(isTaken ? 200 : 401, { 'content-type': 'application/activity+json' })
        response.end(JSON.stringify({ id: peer.url(path), type: 'Note' }))
      })
    }
    expect((await fetchDocument(ctx, peer.url('/one'))).kind).toBe('document')
    expect((await fetchDocument(ctx, peer.url('/two'))).kind).toBe('document')
    expect(knocks).toBe(3)
    const { rows } = await sql`select signature_scheme from hosts where host = ${peer.domain}`.execute(ctx.db)
    expect(rows).toEqual([{ signature_scheme: 'rfc9421' }])
  })

  test('a redirect to another server gets a signature of its own [SSRF-19]', async () => {
    const { ctx, peer } = await setUp()
    const other = await network.peer('127.0.0.3')
    put(other, '/there')
    peer.put('/here', '', { status: 302, headers: { location: other.url('/there') } })
    expect(await fetchDocument(ctx, peer.url('/here'))).toMatchObject({ uri: other.url('/there') })
    const [first, second] = [peer.requests[0], other.requests[0]]
    expect(second?.headers['signature']).not.toBe(first?.headers['signature'])
    expect(await second?.verify()).toMatchObject({ problem: null })
    expect(second?.headers['cookie']).toBeUndefined()
  })

  test('a redirect to the inside, and one to a blocked server, ends there [SSRF-3]', async () => {
    const { ctx, peer } = await setUp()
    const inside = await startRemote('::1')
    const blocked = await network.peer('127.0.0.5')
    await sql`
      insert into domain_blocks (id, domain, severity) values (${ctx.newId()}, '127.0.0.5', 'suspend')`.execute(
      ctx.db,
    )
    peer.put('/in', '', { status: 302, headers: { location: inside.url('/secret') } })
    peer.put('/blocked', '', { status: 302, headers: { location: blocked.url('/x') } })
    expect(await fetchDocument(ctx, peer.url('/in'))).toMatchObject({ kind: 'refused' })
    expect(await fetchDocument(ctx, peer.url('/blocked'))).toMatchObject({ kind: 'refused' })
    expect(await fetchDocument(ctx, blocked.url('/x'))).toMatchObject({ kind: 'refused' })
    expect([inside.connections, blocked.connections]).toEqual([0, 0])
    await sql`delete from domain_blocks`.execute(ctx.db)
  })

  test.each([
    'ftp://a.example/',
    'file:///etc/passwd',
    'gopher://a.example/',
    'data:,x',
    'http://u:p@a.example/',
    '',
  ])('%s is no address of a document [SSRF-5]', async (uri) => {
    const { ctx } = await setUp()
    expect(await fetchDocument(ctx, uri)).toMatchObject({ kind: 'refused' })
  })

  test('circles of redirects end, and what failed is not tried again for some minutes [SSRF-17]', async () => {
    const { ctx, peer } = await setUp()
    peer.put('/loop', '', { status: 302, headers: { location: peer.url('/loop') } })
    for (let again = 0; again < 5; again += 1) {
      expect(await fetchDocument(ctx, peer.url('/loop'))).toMatchObject({ kind: 'refused' })
    }
    expect(peer.requests.length).toBeLessThan(5)
    put(peer, '/loop')
    await network.advance(600_000)
    expect((await fetchDocument(ctx, peer.url('/loop'))).kind).toBe('document')
  })

  test('all who want the same at once share one request', async () => {
    const { ctx, peer } = await setUp()
    put(peer, '/shared')
    const all = await Promise.all([1, 2, 3, 4].map(() => fetchDocument(ctx, peer.url('/shared'))))
    expect(all.map((one) => one.kind)).toEqual(Array(4).fill('document'))
    expect(peer.requests).toHaveLength(1)
  })
})

describe('pages and collections', () => {
  test('a page leads to its document by element or header', async () => {
    const { ctx, peer } = await setUp()
    put(peer, '/notes/1')
    const type = 'application/activity+json'
    peer.put('/page', `<!doctype html><link rel="alternate" type="${type}" href="/notes/1">`, {
      type: 'text/html',
    })
    const link = [`<${peer.url('/x')}>; rel="me"`, `<${peer.url('/notes/1')}>; rel=alternate; type="${type}"`]
    peer.put('/headed', 'x', { type: 'text/html', headers: { link: link.join(', ') } })
    peer.put('/plain', '<p>nothing</p>', { type: 'text/html' })
    for (const path of ['/page', '/headed', '/notes/1']) {
      expect(await fetchPageOrDocument(ctx, peer.url(path))).toMatchObject({ uri: peer.url('/notes/1') })
    }
    expect(await fetchPageOrDocument(ctx, peer.url('/plain'))).toMatchObject({ kind: 'refused' })
  })

  test('pages that never end, go in circles or elsewhere are not followed [FED-48]', async () => {
    const { ctx, peer } = await setUp()
    const other = await network.peer('127.0.0.3')
    const page = (path: string, next: string, items: unknown[]) =>
      peer.put(path, { id: peer.url(path), type: 'CollectionPage', items, next })
    put(peer, '/c', { type: 'Collection', first: peer.url('/p1') })
    page('/p1', peer.url('/p2'), ['a', 'b'])
    page('/p2', peer.url('/p1'), ['c'])
    expect(await fetchItems(ctx, peer.url('/c'), { items: 100, pages: 50 })).toEqual(['a', 'b', 'c'])
    expect(await fetchItems(ctx, peer.url('/c'), { items: 2, pages: 50 })).toEqual(['a', 'b'])
    put(peer, '/d', { type: 'Collection', first: other.url('/p') })
    expect(await fetchItems(ctx, peer.url('/d'), { items: 100, pages: 50 })).toEqual([])
    expect(other.connections).toBe(0)
  })
})
