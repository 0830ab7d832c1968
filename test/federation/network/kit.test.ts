// The scriptable peer itself: if it signed or checked wrongly, tests of federation would prove nothing.
import { signRequest, verifyRequest } from '@fedify/fedify/sig'
import { webcrypto } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { PeerActor } from '#test/peer/actor.ts'
import type { PeerKey } from '#test/peer/keys.ts'
import { startPeer, type Peer } from '#test/peer/peer.ts'
import type { RawRequest, SignOptions } from '#test/peer/sign.ts'
import { transmit } from '#test/peer/transmit.ts'

/** A peer that stands for the server under test, so that both ends are seen. */
async function startPair(): Promise<{ home: Peer; away: Peer; alice: PeerActor; bob: PeerActor }> {
  const home = await startPeer('127.0.0.3')
  const away = await startPeer('127.0.0.2', { app: home })
  return { home, away, alice: await home.actor('alice'), bob: await away.actor('bob') }
}

const loadFromPeer = async (url: string) => {
  const response = await fetch(url, { headers: { accept: 'application/activity+json' } })
  return { contextUrl: null, documentUrl: url, document: await response.json() }
}

/** The id of the key with which it is signed, in the eyes of Fedify, which shares no code with the kit. */
async function keySeenByFedify({ method, url, headers, body }: RawRequest): Promise<string | undefined> {
  const request = new Request(url, { method, headers, body: body as string | null })
  const key = await verifyRequest(request, { documentLoader: loadFromPeer })
  return key?.id?.href
}

const importKey = ({ privateKey }: PeerKey) =>
  webcrypto.subtle.importKey(
    'pkcs8',
    privateKey.export({ type: 'pkcs8', format: 'der' }),
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    true,
    ['sign'],
  )

describe('what a peer signs', () => {
  test('is taken for signed by others, as draft-cavage and as RFC 9421', async () => {
    const { bob, alice } = await startPair()
    for (const scheme of ['cavage', 'rfc9421'] as const) {
      const request = bob.prepare(bob.build.follow(alice.uri), undefined, { scheme })
      expect({ scheme, keyId: await keySeenByFedify(request) }).toEqual({ scheme, keyId: bob.keyId })
    }
  })

  test('is refused by others when it is spoiled', async () => {
    const { away, bob, alice } = await startPair()
    const { key: otherKey } = await away.actor('mallory')
    const spoiled: SignOptions[] = [
      { unsigned: true },
      { key: otherKey },
      { date: Date.now() - 86_400_000 },
      { alteredBody: '{"type":"Like"}' },
      { alterSignature: (value) => value.replace(/[A-Z]/g, 'a') },
    ]
    for (const scheme of ['cavage', 'rfc9421'] as const) {
      // RFC 9421 leaves it to the receiver whether a body needs a digest.
      const more = scheme === 'cavage' ? [{ digest: null }] : []
      for (const options of [...spoiled, ...more]) {
        const request = bob.prepare(bob.build.follow(alice.uri), undefined, { scheme, ...options })
        expect({ scheme, options, keyId: await keySeenByFedify(request) }).toMatchObject({ keyId: undefined })
      }
    }
  })

  test('goes out byte for byte, doubled and chunked too', async () => {
    const { home, bob } = await startPair()
    await bob.send('{"type": "Like" }', undefined, { headers: { 'x-odd': ['a', 'b'] }, chunked: true })
    const [post] = await home.received('Like')
    expect(post?.body.toString()).toBe('{"type": "Like" }')
    expect(post?.headers).toMatchObject({ 'x-odd': 'a, b', 'transfer-encoding': 'chunked' })

    const request = bob.prepare(bob.build.follow(home.baseUrl))
    request.headers.push(['signature', 'another'])
    await transmit(request)
    expect((await home.received('Follow'))[0]?.headers['signature']).toMatch(/", another$/)
  })
})

describe('what a peer receives', () => {
  test('is checked with the key that the sender serves', async () => {
    const { home, bob, alice } = await startPair()
    await bob.follow(alice.uri)
    await bob.send(bob.build.like(alice.uri), alice.inbox, { scheme: 'rfc9421' })
    const [follow] = await home.received('Follow')
    const [like] = await home.received('Like')
    expect(follow).toMatchObject({ signer: bob.uri, path: '/inbox', json: { object: alice.uri } })
    expect(follow?.signed).toMatchObject({ scheme: 'cavage', keyId: bob.keyId })
    expect(like).toMatchObject({ signer: bob.uri, path: '/users/alice/inbox', signed: { scheme: 'rfc9421' } })
    await bob.changeKey()
    await bob.undo(await bob.follow(alice.uri))
    expect((await home.received('Undo'))[0]?.signer).toBe(bob.uri)
  })

  test('is taken when Fedify signed it', async () => {
    const { home, bob } = await startPair()
    for (const spec of ['draft-cavage-http-signatures-12', 'rfc9421'] as const) {
      const request = new Request(home.url('/inbox'), {
        method: 'POST',
        headers: { 'content-type': 'application/activity+json' },
        body: JSON.stringify({ type: spec }),
      })
      const key = await importKey(bob.key)
      const signed = await signRequest(request, key as webcrypto.CryptoKey, new URL(bob.keyId), { spec })
      await fetch(signed)
      expect((await home.received(spec))[0]?.signer).toBe(bob.uri)
    }
  })

  test('is known to be badly signed', async () => {
    const { home, away, bob } = await startPair()
    const { key: otherKey } = await away.actor('mallory')
    const spoiled: [SignOptions, RegExp][] = [
      [{ unsigned: true }, /no signature header/],
      [{ key: otherKey }, /is not one of the key/],
      [{ keyId: away.url('/nobody#main-key') }, /answered with 404/],
      [{ keyId: `${bob.uri}#other` }, /is no key of/],
      [{ date: Date.now() - 86_400_000 }, /not of now/],
      [{ cover: ['(request-target)', 'host', 'date'] }, /does not cover digest/],
      [{ alteredBody: '{"type":"Like"}' }, /digest is/],
      [{ target: '/elsewhere' }, /is not one of the key/],
    ]
    for (const [options, problem] of spoiled) {
      home.inbox.clear()
      await bob.send(bob.build.like(home.baseUrl), undefined, options)
      const [post] = await home.received('Like', 1, { unsigned: true })
      expect(post).toMatchObject({ signed: null, problem: expect.stringMatching(problem) })
      await expect(home.received('Like')).rejects.toThrow(problem)
    }
    await expect(home.received('Like', 2, { within: 10 })).rejects.toThrow('1 instead of 2 posts')
  })

  test('can be waited for', async () => {
    const { home, bob, alice } = await startPair()
    const waiting = home.received('Follow', 2)
    await bob.follow(alice.uri)
    await bob.follow(alice.uri)
    expect(await waiting).toHaveLength(2)
    const accepting = bob.acceptFollow()
    await alice.send(alice.build.follow(bob.uri), bob.inbox)
    expect(await accepting).toMatchObject({ type: 'Follow', actor: alice.uri })
    expect((await home.received('Accept'))[0]?.signer).toBe(bob.uri)
  })
})

describe('how a peer behaves', () => {
  test('is told by the test', async () => {
    const { home, bob } = await startPair()
    const like = bob.build.like(home.baseUrl)
    home.inboxAnswers({ status: 429, headers: { 'retry-after': '60' } })
    expect(await bob.send(like)).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    home.inboxAnswers(({ json }) => (json.type === 'Like' ? 'drop' : 202))
    await expect(bob.send(like)).rejects.toThrow()
    expect(home.inbox.map(({ answered }) => answered)).toEqual([429, 0])

    home.inboxAnswers(202)
    const release = home.hold()
    const sending = bob.send(like)
    expect(await Promise.race([sending, new Promise((resolve) => void setImmediate(resolve, 'held'))])).toBe(
      'held',
    )
    release()
    expect((await sending).status).toBe(202)

    await home.goAway()
    await expect(bob.send(like)).rejects.toThrow('ECONNREFUSED')
    await home.comeBack()
    expect((await bob.send(like)).status).toBe(202)
  })

  test('what it serves, and to whom', async () => {
    const { home, bob, alice } = await startPair()
    const note = alice.note('hello')
    expect((await bob.get(note.id)).body).toMatchObject({ content: '<p>hello</p>', attributedTo: alice.uri })
    home.requireSignedGet()
    expect((await bob.get(note.id, { unsigned: true })).status).toBe(401)
    expect((await bob.get(note.id)).status).toBe(200)
    expect((await bob.get(home.instanceActor.uri, { unsigned: true })).status).toBe(200)
    home.requireSignedGet(false)
    home.gone(new URL(note.id).pathname)
    expect((await bob.get(note.id)).status).toBe(410)
    const finger = (resource: string) =>
      bob.get(home.url(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`))
    expect((await finger(`acct:${alice.handle}`)).body.links[0].href).toBe(alice.uri)
    expect((await finger('acct:nobody@example.org')).status).toBe(404)
    expect(home.requests.filter(({ path }) => path.startsWith('/users/alice/statuses/'))).toHaveLength(4)
  })
})
