// What hostile servers answer when they are asked, and where they send us to. Besides: fetching.test.ts, keys.test.ts.
import { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createHttpClient } from '#adapters/http-client/http-client.ts'
import { findAccountByHandle } from '#domain/identity/accounts/queries.ts'
import { findRemoteActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { fetchItems } from '#federation/fetch/collection.ts'
import { fetchDocument } from '#federation/fetch/fetch-document.ts'
import { fetchImage } from '#federation/fetch/fetch-image.ts'
import { learnHost } from '#federation/fetch/node-info.ts'
import { finger } from '#federation/fetch/webfinger.ts'
import { ensureActor, saveActor } from '#federation/ingest/actors/actor.ts'
import { readActor } from '#federation/ingest/actors/read-actor.ts'
import { findRemoteKey } from '#federation/keys/find-remote-key.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { HttpClient } from '#ports/http-client.ts'
import { quietLog } from '#test/app/log.ts'
import { useNetwork } from '#test/servers/network.ts'
import type { Peer } from '#test/peer/peer.ts'
import { startRemote } from '#test/servers/remote-server.ts'
import { growsWithLength } from '#test/run/growth.ts'
import { isNight } from '#test/run/night.ts'

const network = useNetwork()

async function setUp() {
  const app = await network.server()
  return { app, ctx: app.ctx, peer: await network.peer() }
}

const self = (href: string) => [{ rel: 'self', type: 'application/activity+json', href }]
const note = (id: string, more: object = {}) => ({ id, type: 'Note', ...more })
const redirect = (to: string) => ({ status: 302, headers: { location: to } })
const paths = (peer: Peer) => peer.requests.map((one) => one.path.split('?')[0])

async function block(ctx: Ctx, domain: string, more: { severity?: string; rejectMedia?: boolean } = {}) {
  await sql`
    insert into domain_blocks (id, domain, severity, reject_media)
    values (${ctx.newId()}, ${domain}, ${more.severity ?? 'suspend'}, ${more.rejectMedia ?? false})`.execute(
    ctx.db,
  )
  onTestFinished(async () => void (await sql`delete from domain_blocks`.execute(ctx.db)))
}

const bomb = gzipSync(Buffer.alloc(50_000_000, ' '), { level: 1 })

/** All that is fetched of other servers, each from its own address. */
const everyFetch: Record<string, (ctx: Ctx, origin: string) => Promise<unknown>> = {
  document: (ctx, origin) => fetchDocument(ctx, `${origin}/document`),
  actor: (ctx, origin) => ensureActor(ctx, `${origin}/users/a`),
  key: (ctx, origin) => findRemoteKey(ctx, `${origin}/users/k#main-key`),
  'key of a handle': (ctx, origin) => findRemoteKey(ctx, `acct:k@${origin.replace(/^http:\/\//, '')}`),
  collection: (ctx, origin) => fetchItems(ctx, `${origin}/collection`, { items: 10, pages: 2 }),
  WebFinger: (ctx, origin) => finger(ctx, 'w', origin.replace(/^http:\/\//, '')),
  NodeInfo: (ctx, origin) => learnHost(ctx, origin.replace(/^http:\/\//, '')),
  picture: (ctx, origin) => fetchImage(ctx, { url: `${origin}/a.png`, maxBytes: 1000 }, async () => {}),
}
/** Those that by day stand for the others, which read documents in the same way. */
const byDay = ['document', 'actor', 'WebFinger', 'picture']
const fetches = Object.entries(everyFetch).filter(([name]) => isNight || byDay.includes(name))

describe.each(fetches)('%s', (_, ask) => {
  test.each([
    'http://10.0.0.1',
    'http://169.254.169.254',
    'http://192.168.1.1:8080',
    'http://[::1]:3000',
    'http://[::ffff:10.0.0.1]',
    'http://[fd00::1]',
    'http://[fe80::1]',
    'http://0xa.0.0.1',
    'http://012.0.0.1',
    'http://167772161',
    'http://10.0.0.1.',
  ])('%s is not connected to [SSRF-1] [SSRF-2] [SSRF-6]', async (origin) => {
    const { ctx } = await setUp()
    const connect = vi.spyOn(Socket.prototype, 'connect')
    onTestFinished(() => connect.mockRestore())
    await ask(ctx, origin)
    const host = new URL(origin).hostname.replace(/^\[|\]$|\.$/g, '')
    expect(JSON.stringify(connect.mock.calls)).not.toContain(`"${host}"`)
  })

  test('a name that also has, or comes to have, an address inside is not followed there [SSRF-4]', async () => {
    const { ctx } = await setUp()
    const inside = await startRemote('::1')
    let asked = 0
    const resolve = async () => (++asked === 1 ? ['::1', '10.0.0.1'] : ['::1'])
    const http = createHttpClient({ config: ctx.config, log: quietLog, destinations: 'strangers', resolve })
    onTestFinished(() => http.close())
    await ask({ ...ctx, http }, `http://rebind.example:${inside.port}`)
    expect(asked).toBeGreaterThan(0)
    expect(inside.connections).toBe(0)
  })

  test('whatever is redirected to the inside, or to this server, ends there [SSRF-3] [SSRF-13] [SSRF-16]', async () => {
    const { app, ctx } = await setUp()
    const inside = await startRemote('::1')
    for (const target of [inside.url('/x'), `${app.baseUrl}/actor`]) {
      const remote = await startRemote('127.0.0.7', (_request, response) => {
        response.writeHead(302, { location: target }).end()
      })
      app.logLines.length = 0
      await ask(ctx, remote.url('').replace(/\/$/, ''))
      expect(remote.connections).toBeGreaterThan(0)
    }
    expect(inside.connections).toBe(0)
  })

  test('a blocked server is not contacted, at no hop and under no spelling [SSRF-20] [FED-36]', async () => {
    const { ctx } = await setUp()
    const blocked = await startRemote('127.0.0.8')
    await block(ctx, `127.0.0.8:${blocked.port}`)
    const remote = await startRemote('127.0.0.7', (_request, response) => {
      response.writeHead(302, { location: blocked.url('/x') }).end()
    })
    const hosts = ['127.0.0.8', '127.0.0.8.', '0x7f.0.0.8', '2130706440', '127.8']
    for (const host of hosts) await ask(ctx, `http://${host}:${blocked.port}`)
    await ask(ctx, remote.url('').replace(/\/$/, ''))
    expect(blocked.connections).toBe(0)
  })

  test('circles of redirects end soon [SSRF-17]', async () => {
    const { ctx } = await setUp()
    const remote = await startRemote('127.0.0.7', (request, response) => {
      response.writeHead(302, { location: request.url ?? '/' }).end()
    })
    await ask(ctx, remote.url('').replace(/\/$/, ''))
    expect(remote.requests.length).toBeLessThan(12)
  })

  test('endless and inflating answers are cut off [SSRF-8] [SSRF-9]', async () => {
    const { ctx } = await setUp()
    const types = ['application/activity+json', 'application/jrd+json', 'application/json', 'image/png']
    let sent = 0
    for (const type of types) {
      const remote = await startRemote('127.0.0.7', (_request, response) => {
        response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(bomb)
      })
      await ask(ctx, remote.url('').replace(/\/$/, ''))
      const endless = await startRemote('127.0.0.7', (_request, response) => {
        response.writeHead(200, { 'content-type': type })
        const more = () => {
          while (sent < 100_000_000 && !response.destroyed) {
            sent += 65_536
            if (!response.write(Buffer.alloc(65_536, ' '))) return
          }
        }
        response.on('drain', more)
        more()
      })
      await ask(ctx, endless.url('').replace(/\/$/, ''))
    }
    expect(sent).toBeLessThan(50_000_000)
  })

  test('what drips has to be done in time as a whole [SSRF-18]', async () => {
    const { ctx } = await setUp()
    const patience: (number | undefined)[] = []
    const http: HttpClient = {
      ...ctx.http,
      send(request) {
        patience.push(request.timeout)
        return ctx.http.send({ ...request, timeout: 300 })
      },
    }
    const types = ['application/activity+json', 'application/jrd+json', 'application/json', 'image/png']
    // It drips for ever: who does not give up never ends.
    const askFor = async (type: string) => {
      const remote = await startRemote('127.0.0.7', (_request, response) => {
        response.writeHead(200, { 'content-type': type })
        const timer = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(timer))
      })
      await ask({ ...ctx, http }, remote.url('').replace(/\/$/, ''))
    }
    await Promise.all(types.map(askFor))
    expect(Math.max(...patience.map((time) => time ?? 0))).toBeLessThanOrEqual(20_000)
  })

  test('in limited federation it is asked of none but allowed servers', async () => {
    const { ctx } = await network.server('limited', { env: { LIMITED_FEDERATION_MODE: 'true' } })
    const stranger = await startRemote('127.0.0.9')
    const allowed = await startRemote('127.0.0.7', (_request, response) => {
      response.writeHead(302, { location: stranger.url('/x') }).end()
    })
    await sql`
      insert into domain_allows (id, domain) values (${ctx.newId()}, ${`127.0.0.7:${allowed.port}`})`.execute(
      ctx.db,
    )
    await ask(ctx, stranger.url('').replace(/\/$/, ''))
    await ask(ctx, allowed.url('').replace(/\/$/, ''))
    expect(allowed.connections).toBeGreaterThan(0)
    expect(stranger.connections).toBe(0)
  })
})

describe('handles', () => {
  test('a server cannot give somebody of another server a handle of its own [FED-39] [FED-14]', async () => {
    const { app, ctx, peer } = await setUp()
    const evil = await network.peer('127.0.0.3')
    const victim = await peer.actor('victim')
    const person = await app.person('ann')
    evil.finger(`acct:victim@${evil.domain}`, {
      subject: `acct:victim@${evil.domain}`,
      links: self(victim.uri),
    })
    const found = await app.find(person, `victim@${evil.domain}`)
    expect([victim.handle, undefined]).toContain(found?.acct)
    expect(await findAccountByHandle(ctx, 'victim', evil.domain)).toBeNull()
    expect(await ensureActor(ctx, victim.uri)).toMatchObject({ domain: peer.domain })
  })

  test('a handle of another domain than the actor is found by it, when the actor’s server says the same', async () => {
    const { app, peer } = await setUp()
    const home = await network.peer('127.0.0.3')
    const actor = await peer.actor('split')
    const jrd = { subject: `acct:split@${home.domain}`, links: self(actor.uri) }
    home.finger(`acct:split@${home.domain}`, jrd)
    peer.finger(`acct:split@${peer.domain}`, jrd)
    const person = await app.person('ann')
    expect(await app.find(person, `split@${home.domain}`)).toMatchObject({
      acct: `split@${home.domain}`,
      uri: actor.uri,
    })
  })

  test('what holds for the domain of a handle holds for its actor elsewhere [FED-36]', async () => {
    const { app, ctx, peer } = await setUp()
    const home = await network.peer('127.0.0.3')
    const icon = { type: 'Image', url: peer.url('/a.png') }
    const actor = await peer.actor('moved', { icon, webfinger: `moved@${home.domain}` })
    home.finger(`acct:moved@${home.domain}`, {
      subject: `acct:moved@${home.domain}`,
      links: self(actor.uri),
    })
    await block(ctx, home.domain, { severity: 'silence', rejectMedia: true })
    expect(await ensureActor(ctx, actor.uri)).toMatchObject({ domain: home.domain, silenced: true })
    await saveActor(ctx, actor.document())
    await app.settle()
    expect(paths(peer)).not.toContain('/a.png')
  })

  test('the domain of a handle alone cannot have an actor of another server deleted', async () => {
    const { app, ctx, peer } = await setUp()
    const home = await network.peer('127.0.0.3')
    const webfinger = `lives@${home.domain}`
    const actor = await peer.actor('lives', { webfinger })
    home.finger(`acct:${webfinger}`, { subject: `acct:${webfinger}`, links: self(actor.uri) })
    await ensureActor(ctx, actor.uri)
    home.gone('/.well-known/webfinger')
    await ensureActor(ctx, actor.uri, { fresh: true })
    await app.settle()
    expect(await findRemoteActor(ctx, actor.uri)).toMatchObject({ domain: home.domain })
  })

  test.each([
    'a@h:80/x',
    'a@h/../x',
    'a@h#x',
    'a@h?x',
    'a@h\\x',
    'a@h x',
    'a@u@h',
    'a@h:0',
    'a@h:99999',
    'a@[::1',
  ])('nobody is asked for %s, wherever it stands [SSRF-14]', async (text) => {
    const { app, ctx, peer } = await setUp()
    const handle = text.replace('h', peer.host)
    const person = await app.person('ann')
    await app.find(person, handle)
    await findRemoteKey(ctx, `acct:${handle}`)
    await peer.actor('odd', { webfinger: handle })
    await person.say(`hello @${handle}`)
    expect(peer.connections).toBe(0)
  })

  test('what stands in a name or a subject is no part of an address [FED-49]', async () => {
    const { ctx, peer } = await setUp()
    const names = ["x'; drop table accounts; --", 'a\r\nHost: b', 'a/../b', 'a?b#c', 'é']
    for (const [index, preferredUsername] of names.entries()) {
      const actor = await peer.actor(`n${index}`, { preferredUsername })
      expect(await ensureActor(ctx, actor.uri)).toBeNull()
    }
    const actor = await peer.actor('subject')
    peer.finger(`acct:${actor.handle}`, { subject: 'acct:a@b/../c', links: self(actor.uri) })
    expect(await ensureActor(ctx, actor.uri)).toBeNull()
  })
})

describe('who they are', () => {
  test('another spelling of an id is the same actor, and is not asked for again [FED-38]', async () => {
    const { ctx, peer } = await setUp()
    const actor = await peer.actor('spelled')
    const stored = await ensureActor(ctx, actor.uri)
    const asked = peer.requests.length
    const { port } = new URL(peer.baseUrl)
    for (const origin of [`HTTP://${peer.domain}`, `http://0x7f.0.0.2:${port}`, `http://127.2:${port}`]) {
      expect(await ensureActor(ctx, `${origin}/users/spelled`)).toMatchObject({ id: stored?.id })
    }
    expect(peer.requests).toHaveLength(asked)
  })

  test('a known actor is read anew some times in a minute, whoever wants it [FED-47]', async () => {
    const { app, ctx, peer } = await setUp()
    const far = await network.peer('127.0.0.3')
    const [victim, evil] = [await far.actor('target'), await peer.actor('mover')]
    await ensureActor(ctx, victim.uri)
    await ensureActor(ctx, evil.uri)
    far.requests.length = 0
    for (let again = 0; again < 30; again += 1) await evil.move(victim.uri)
    await app.settle()
    expect(paths(far).length).toBeGreaterThan(0)
    expect(paths(far).filter((path) => path === '/users/target').length).toBeLessThanOrEqual(10)
  })

  test('who cannot be stored is not asked again and again [FED-47]', async () => {
    const { ctx, peer } = await setUp()
    const actor = await peer.actor('unconfirmed')
    peer.finger(`acct:${actor.handle}`, { subject: `acct:other@${peer.domain}`, links: self(actor.uri) })
    for (let again = 0; again < 10; again += 1) expect(await ensureActor(ctx, actor.uri)).toBeNull()
    expect(paths(peer).filter((path) => path === '/users/unconfirmed')).toHaveLength(1)
  })

  test('of a list as object, what is named and what is shown are the same thing [FED-19] [FED-20]', async () => {
    const { app, ctx, peer } = await setUp()
    const evil = await (await network.peer('127.0.0.3')).actor('evil')
    const [victim, author] = [await peer.actor('victim'), await peer.actor('author')]
    const before = await ensureActor(ctx, victim.uri)
    await ensureActor(ctx, evil.uri)
    const key = { id: victim.keyId, owner: victim.uri, publicKeyPem: evil.key.publicKeyPem }
    const defaced = { ...victim.document(), name: 'Defaced', inbox: evil.inbox, publicKey: key }
    const other = { ...author.document(), inbox: evil.inbox }
    for (const object of [
      [evil.uri, defaced],
      [evil.document(), defaced],
      [evil.uri, other],
      [[evil.uri], defaced],
    ])
      await evil.send(evil.build.update(evil.document(), { object }))
    await app.settle()
    expect(await findRemoteActor(ctx, victim.uri)).toEqual(before)
    expect(await findRemoteActor(ctx, author.uri)).toBeNull()
    const found = await findRemoteKey(ctx, victim.keyId)
    const pem = 'key' in found ? found.key.export({ type: 'spki', format: 'pem' }) : null
    expect(pem).toBe(victim.key.publicKeyPem)
  })

  test('one actor, however many meet it at once', async () => {
    const { ctx, peer } = await setUp()
    const actor = await peer.actor('crowd')
    const other: Ctx = { ...ctx }
    const all = await Promise.all([
      ensureActor(ctx, actor.uri),
      ensureActor(other, actor.uri),
      saveActor({ ...ctx }, actor.document()),
      ensureActor({ ...ctx }, actor.uri, { document: actor.document() }),
    ])
    expect(new Set(all.map((one) => one?.id)).size).toBe(1)
    const { rows } = await sql`select 1 from accounts where uri = ${actor.uri}`.execute(ctx.db)
    expect(rows).toHaveLength(1)
  })
})

describe('documents', () => {
  test.each(['<b><i>', '<', '<a href="http://x/">', '&amp;', '<!--', '<script>'])(
    'a profile full of %s is read without holding up others [FED-44] [CNT-21]',
    async (piece) => {
      const read = (html: string) =>
        readActor({
          id: 'https://a.example/users/a',
          type: 'Person',
          preferredUsername: 'a',
          inbox: 'https://a.example/inbox',
          summary: html,
          attachment: Array.from({ length: html.length / 4 }, () => ({
            type: 'PropertyValue',
            name: 'x',
            value: html,
          })),
        })
      expect(growsWithLength(read, piece, 20_000)).toBe(true)
      expect(read(piece.repeat(20_000 / piece.length))?.fields.length).toBeLessThanOrEqual(50)
    },
  )

  test('of a doubled id the last counts, @id is none, and a byte order mark is nothing', async () => {
    const { ctx, peer } = await setUp()
    const [own, other] = [peer.url('/doubled'), 'https://victim.example/users/a']
    peer.put('/doubled', `{"id":"${own}","type":"Note","id":"${other}"}`)
    expect(await fetchDocument(ctx, own)).not.toMatchObject({ kind: 'document' })
    peer.put('/at', JSON.stringify({ '@id': peer.url('/at'), type: 'Note' }))
    expect(await fetchDocument(ctx, peer.url('/at'))).toMatchObject({ kind: 'refused' })
    peer.put('/mark', `\uFEFF${JSON.stringify(note(peer.url('/mark')))}`)
    expect(await fetchDocument(ctx, peer.url('/mark'))).toMatchObject({ kind: 'document' })
    peer.put('/utf16', Buffer.from(JSON.stringify(note(peer.url('/utf16'))), 'utf16le'), {
      type: 'application/activity+json; charset=utf-16',
    })
    expect(await fetchDocument(ctx, peer.url('/utf16'))).toMatchObject({ kind: 'refused' })
  })

  test('of two media types none is believed [FED-15]', async () => {
    const { ctx, peer } = await setUp()
    const headers = { 'content-type': ['text/html', 'application/activity+json'] }
    for (const [index, type] of ['text/html, application/activity+json', 'a/b'].entries()) {
      const path = `/two${index}`
      peer.put(path, note(peer.url(path)), type === 'a/b' ? { headers } : { type })
      expect(await fetchDocument(ctx, peer.url(path))).toMatchObject({ kind: 'refused' })
    }
  })

  test('a collection that is answered by another server carries nothing [FED-16] [FED-48]', async () => {
    const { ctx, peer } = await setUp()
    const other = await network.peer('127.0.0.3')
    const items = [note(peer.url('/notes/forged'), { attributedTo: peer.url('/users/victim') })]
    other.put('/items', { id: other.url('/items'), type: 'OrderedCollection', orderedItems: items })
    peer.put('/featured', '', redirect(other.url('/items')))
    expect(await fetchItems(ctx, peer.url('/featured'), { items: 10, pages: 2 })).toBeNull()
    peer.put('/paged', { id: peer.url('/paged'), type: 'Collection', first: peer.url('/featured') })
    expect(await fetchItems(ctx, peer.url('/paged'), { items: 10, pages: 2 })).toEqual([])
  })

  test('pictures and emoji at addresses inside are not asked for [SSRF-12]', async () => {
    const { app, ctx, peer } = await setUp()
    const inside = await startRemote('::1')
    peer.put('/to-inside.png', '', redirect(inside.url('/b.png')))
    const tag = [{ type: 'Emoji', name: ':in:', icon: { type: 'Image', url: inside.url('/c.png') } }]
    const actor = await peer.actor('pictured', {
      icon: { type: 'Image', url: inside.url('/a.png') },
      image: { type: 'Image', url: peer.url('/to-inside.png') },
      tag,
    })
    expect(await ensureActor(ctx, actor.uri)).not.toBeNull()
    await app.settle()
    expect(paths(peer)).toContain('/to-inside.png')
    expect(inside.connections).toBe(0)
  })

  test('an inbox inside is checked again when something is sent there [SSRF-15]', async () => {
    const { app, peer } = await setUp()
    const inside = await startRemote('::1')
    const actor = await peer.actor('boxed', { inbox: inside.url('/inbox'), endpoints: undefined })
    const person = await app.person('ann')
    const { id } = await app.find(person, actor.handle)
    await person.post(`/api/v1/accounts/${id}/follow`)
    await app.settle()
    expect(inside.connections).toBe(0)
  })
})

describe('how often', () => {
  test('servers below one domain are met slowly, whatever leads to them [FED-47]', async () => {
    const { app, ctx } = await setUp()
    const ways = [
      (origin: string) => ensureActor(ctx, `${origin}/users/a`),
      (origin: string) => findRemoteKey(ctx, `${origin}/users/a#main-key`),
      (origin: string) => fetchDocument(ctx, `${origin}/notes/1`),
    ]
    app.logLines.length = 0
    const domain = `horde${ctx.newId()}.invalid`
    for (let number = 0; number < 30; number += 1) {
      await ways[number % 3]?.(`http://s${number}.${domain}:${4000 + number}`)
    }
    const asked = app.logLines.filter((line) => /has no address|ENOTFOUND|network/.test(JSON.stringify(line)))
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.length).toBeLessThanOrEqual(10)
  })

  test('those who share a public suffix do not use up each other’s part [FED-47]', async () => {
    const { app, ctx } = await setUp()
    for (let number = 0; number < 15; number += 1) {
      await fetchDocument(ctx, `http://s${number}.evil.co.uk/x`)
      await fetchDocument(ctx, `http://s${number}.github.io/x`)
    }
    app.logLines.length = 0
    for (const host of ['social.good.co.uk', 'good.co.uk', 'good.github.io', 'evil.co.uk']) {
      expect(await fetchDocument(ctx, `http://${host}/x`)).toMatchObject({
        kind: 'failed',
        reason: expect.not.stringContaining('too many'),
      })
    }
  })

  test('one address is not as many servers as it has ports [FED-47]', async () => {
    const { ctx } = await setUp()
    const reasons: unknown[] = []
    for (let port = 20_000; port < 20_210; port += 1) {
      reasons.push(await fetchDocument(ctx, `http://127.0.0.99:${port}/x`))
    }
    expect(reasons[0]).not.toMatchObject({ reason: expect.stringContaining('too many') })
    expect(reasons.at(-1)).toMatchObject({ reason: expect.stringContaining('too many') })
  })

  test('made up keys cost a server a bounded number of requests, and others nothing [FED-47] [SSRF-17]', async () => {
    const { ctx, peer } = await setUp()
    const victim = await peer.actor('victim')
    const attack = (keyId: string) => findRemoteKey(ctx, keyId, { sender: '192.0.2.0' })
    for (let number = 0; number < 100; number += 1) {
      expect(await attack(peer.url(`/users/none-${number}`))).toHaveProperty('problem')
      expect(await attack(`acct:none-${number}@${peer.domain}`)).toHaveProperty('problem')
    }
    const asked = peer.requests.length
    expect(asked).toBeLessThan(60 * 4)
    expect(await attack(victim.keyId)).toHaveProperty('problem')
    expect(peer.requests).toHaveLength(asked)
    const own = await findRemoteKey(ctx, victim.keyId, { sender: '198.51.100.0' })
    expect(own).toMatchObject({ actor: { uri: victim.uri } })
  })

  test('a known actor’s handle in place of a key costs no look-up [FED-13]', async () => {
    const { ctx, peer } = await setUp()
    const actor = await peer.actor('handled')
    await ensureActor(ctx, actor.uri)
    const asked = peer.requests.length
    expect(await findRemoteKey(ctx, `acct:${actor.handle}`)).toMatchObject({ actor: { uri: actor.uri } })
    expect(peer.requests).toHaveLength(asked)
  })

  test('profiles cannot have one server asked for its pages without end', async () => {
    const { app, ctx, peer } = await setUp()
    const target = await startRemote('127.0.0.7', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>nothing</p>')
    })
    for (let number = 0; number < 10; number += 1) {
      const attachment = Array.from({ length: 8 }, (_, index) => {
        const url = target.url(`/${number}/${index}`)
        return { type: 'PropertyValue', name: `${index}`, value: `<a href="${url}">${url}</a>` }
      })
      const actor = await peer.actor(`many${number}`, { attachment })
      await ensureActor(ctx, actor.uri)
    }
    await app.settle()
    expect(target.requests.length).toBeGreaterThan(0)
    expect(target.requests.length).toBeLessThanOrEqual(60)
  })
})

test('an actor that is gone, or suspended here, is nobody’s key [FED-37]', async () => {
  const { app, ctx, peer } = await setUp()
  const [gone, bad] = [await peer.actor('goner'), await peer.actor('bad')]
  await ensureActor(ctx, gone.uri)
  await ensureActor(ctx, bad.uri)
  peer.gone('/users/goner')
  await ensureActor(ctx, gone.uri, { fresh: true })
  await app.settle()
  await sql`update accounts set suspended_at = now() where uri = ${bad.uri}`.execute(ctx.db)
  const person = await app.person('ann')
  const status = async (actor: typeof gone) =>
    (await actor.send(actor.build.follow(app.uriOf(person)))).status
  expect([await status(gone), await status(bad)]).toEqual([401, 403])
  const { rows } = await sql`select 1 from incoming_activities`.execute(ctx.db)
  expect(rows).toEqual([])
})

test('private keys are in no log, answer or document', async () => {
  const { app, ctx, peer } = await setUp()
  const person = await app.person('secret')
  await peer.actor('asked')
  await app.find(person, `asked@${peer.domain}`)
  await fetchDocument(ctx, peer.url('/users/asked'), { asAccountId: person.accountId })
  const { rows } = await sql<{ pem: string }>`
    select rsa_private_pem as pem from signing_keys
    union all select ed25519_private_pem from signing_keys`.execute(ctx.db)
  expect(rows.length).toBeGreaterThan(2)
  const accept = { accept: 'application/activity+json' }
  const shown = [
    JSON.stringify(app.logLines),
    await (await app.fetch('/actor', { headers: accept })).text(),
    await (await app.fetch(`/users/${person.username}`, { headers: accept })).text(),
  ].join('\n')
  expect(shown).toContain('BEGIN PUBLIC KEY')
  for (const { pem } of rows) expect(shown).not.toContain(pem.split('\n')[1])
  expect(shown).not.toContain('PRIVATE KEY')
})
