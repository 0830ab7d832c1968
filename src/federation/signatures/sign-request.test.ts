import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import {
  signRequest as signByFedify,
  verifyRequest as verifyByFedify,
  type HttpMessageSignaturesSpec,
} from '@fedify/fedify/sig'
import { preloadedContexts } from '@fedify/fedify/runtime'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toInstant } from '#test/fedify/instant.ts'
import { readSignature, type ReceivedRequest } from './read-signature.ts'
import { digestOf, signRequest, type RequestToSign, type SignatureScheme } from './sign-request.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKey = createPublicKey(privateKey)
const owner = 'https://chat.example/users/alice'
const key = { id: `${owner}#main-key`, privateKey }
const activityJson = { 'content-type': 'application/activity+json' }
const schemes: SignatureScheme[] = ['cavage', 'rfc9421']

/** The request as it arrives at the host that it was sent to. */
async function deliver(request: RequestToSign): Promise<ReceivedRequest> {
  const { method, url, body = null, headers = {} } = request
  const sent = { ...headers, ...(await signRequest(key, request)), host: url.host }
  return {
    method,
    target: `${url.pathname}${url.search}`,
    host: url.host,
    baseUrl: url.origin,
    headers: new Headers(sent),
    rawHeaders: Object.entries(sent).flat(),
    body,
  }
}

function isVerified(request: ReceivedRequest): boolean {
  const found = readSignature(request, now)
  return !('problem' in found) && found.verify(publicKey)
}

describe('Header fields', () => {
  const url = new URL('https://remote.example/inbox?x=1')
  const body = Buffer.from('{}')

  test('of a POST by draft-cavage', async () => {
    const headers = await signRequest(key, {
      method: 'POST',
      url,
      body,
      now,
      scheme: 'cavage',
      headers: activityJson,
    })
    expect(Object.keys(headers)).toEqual(['date', 'digest', 'signature'])
    expect(headers).toMatchObject({
      date: 'Sun, 01 Mar 2026 12:00:00 GMT',
      digest: 'SHA-256=RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=',
      signature: expect.stringMatching(
        /^keyId="https:\/\/chat.example\/users\/alice#main-key",algorithm="rsa-sha256",headers="\(request-target\) host date digest content-type",signature="[\w+/]{342}=="$/,
      ),
    })
  })

  test('of a GET by draft-cavage', async () => {
    const headers = await signRequest(key, {
      method: 'GET',
      url,
      now,
      scheme: 'cavage',
      headers: activityJson,
    })
    expect(Object.keys(headers)).toEqual(['date', 'signature'])
    expect(headers['signature']).toMatch('headers="(request-target) host date"')
  })

  test('by RFC 9421', async () => {
    const post = await signRequest(key, { method: 'POST', url, body, now, scheme: 'rfc9421' })
    expect(post).toEqual({
      'content-digest': 'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:',
      'signature-input': `sig1=("@method" "@target-uri" "@authority" "content-digest");created=1772366400;keyid="${key.id}";alg="rsa-v1_5-sha256"`,
      signature: expect.stringMatching(/^sig1=:[\w+/]{342}==:$/),
    })
    const get = await signRequest(key, { method: 'GET', url, now, scheme: 'rfc9421' })
    expect(Object.keys(get)).toEqual(['signature-input', 'signature'])
  })

  test.each(schemes)('a digest that is known is taken: %s', async (scheme) => {
    const request = { method: 'POST', url, now, scheme }
    const signed = await signRequest(key, { ...request, body })
    expect(await signRequest(key, { ...request, digest: digestOf(body) })).toEqual(signed)
    expect(await signRequest(key, { ...request, body, digest: digestOf(Buffer.from('x')) })).not.toEqual(
      signed,
    )
  })

  test.each(schemes)('a POST without body is signed as an empty one: %s', async (scheme) => {
    expect(isVerified(await deliver({ method: 'POST', url, now, scheme }))).toBe(true)
  })

  test('fail with a key that cannot sign so', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const request = { method: 'GET', url, now, scheme: 'cavage' } as const
    await expect(signRequest({ id: key.id, privateKey: publicKey }, request)).rejects.toThrow()
  })
})

const anyUrl = fc
  .tuple(
    fc.constantFrom(
      'https://chat.example',
      'http://chat.example:8080',
      'https://[::1]',
      'https://xn--bcher-kva.example',
    ),
    fc.array(fc.string({ unit: 'binary' })),
    fc.dictionary(fc.string(), fc.string()),
  )
  .map(([origin, path, query]) => {
    const url = new URL(`${origin}/${path.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
    return url
  })

const anyRequest = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  url: anyUrl,
  body: fc.option(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    { nil: undefined },
  ),
  now: fc.constant(now),
  scheme: fc.constantFrom(...schemes),
  headers: fc.constantFrom({}, activityJson),
})

test('Whatever is signed can be read and verified', async () => {
  await fc.assert(
    fc.asyncProperty(anyRequest, async (request) => {
      const delivered = await deliver(request)
      expect(readSignature(delivered, now)).toMatchObject({
        keyId: key.id,
        scheme: request.scheme,
        created: new Date(now),
      })
      expect(isVerified(delivered)).toBe(true)
    }),
  )
})

/** A character exchanged, put in or taken out, anywhere. */
const anyMutation = fc.record({
  part: fc.nat({ max: 30 }),
  at: fc.nat({ max: 1000 }),
  replaced: fc.constantFrom(0, 1, 5),
  by: fc.oneof(
    fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('', ',', '"', ';', ':', '=', ', ', '\t', '()', '\\'),
  ),
})

type Mutation = typeof anyMutation extends fc.Arbitrary<infer T> ? T : never

function mutate(request: ReceivedRequest, { part, at, replaced, by }: Mutation): ReceivedRequest {
  const change = (text: string) => {
    const start = at % (text.length + 1)
    return `${text.slice(0, start)}${by}${text.slice(start + replaced)}`
  }
  const { rawHeaders: _, ...rest } = request
  const names = [...request.headers.keys()]
  const name = names[part % (names.length + 3)]
  if (name !== undefined) {
    const headers = new Headers(request.headers)
    headers.set(name, change(headers.get(name) ?? ''))
    return { ...rest, headers }
  }
  if (part % 3 === 0) return { ...rest, method: change(request.method) }
  if (part % 3 === 1) return { ...rest, target: change(request.target) }
  return { ...rest, body: Buffer.from(change(request.body?.toString('latin1') ?? ''), 'latin1') }
}

/** Everything that is signed, and the signature; spaces between its parts mean nothing. */
const meaningOf = ({ method, target, headers, body }: ReceivedRequest, scheme: SignatureScheme) => {
  const signed = scheme === 'cavage' ? ['date', 'host', 'digest', 'content-type'] : ['content-digest']
  const signature = ['signature', 'signature-input'].map((name) =>
    headers.get(name)?.replaceAll(/[ \t]*([,=])[ \t]*/g, '$1'),
  )
  const content = body?.toString('hex')
  // The draft signs the method in lower case, so it cannot tell POST from POSt; nor is the latter ever let in.
  const act = scheme === 'cavage' ? method.toLowerCase() : method
  return JSON.stringify([act, target, content, ...signed.map((name) => headers.get(name)), ...signature])
}

test.each(schemes)('Random mutations are refused, and nothing throws: %s [FED-10]', async (scheme) => {
  const url = new URL('https://chat.example/users/alice/inbox?page=1')
  const body = Buffer.from('{"type":"Follow"}')
  const request = await deliver({ method: 'POST', url, body, now, scheme, headers: activityJson })
  const meaning = meaningOf(request, scheme)
  const seen = { refused: 0, failed: 0, same: 0, changed: 0, bad: 0 }
  const verify = (mutated: ReceivedRequest): keyof typeof seen => {
    const found = readSignature(mutated, now)
    if ('problem' in found) return /^[A-Z]/.test(found.problem) ? 'refused' : 'bad'
    // Another name leads to another key, or to none.
    if (found.keyId !== key.id || !found.verify(publicKey)) return 'failed'
    return meaningOf(mutated, scheme) === meaning ? 'same' : 'changed'
  }
  fc.assert(
    fc.property(anyMutation, (mutation) => {
      const outcome = verify(mutate(request, mutation))
      seen[outcome] += 1
      expect(outcome).not.toBe('changed')
    }),
    { numRuns: 3000 },
  )
  expect(seen.bad).toBe(0)
  expect(seen.refused).toBeGreaterThan(500)
  expect(seen.failed).toBeGreaterThan(100)
})

const specs: Record<SignatureScheme, HttpMessageSignaturesSpec> = {
  cavage: 'draft-cavage-http-signatures-12',
  rfc9421: 'rfc9421',
}

/** What Fedify fetches: the actor with our key, and the contexts that it brings. */
const documentLoader = async (url: string) => ({
  contextUrl: null,
  documentUrl: url,
  document: preloadedContexts[url] ?? {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id: owner,
    type: 'Person',
    inbox: `${owner}/inbox`,
    publicKey: { id: key.id, owner, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }) },
  },
})

describe.each(schemes)('With Fedify, %s', (scheme) => {
  const currentTime = toInstant(now)
  const options = { documentLoader, contextLoader: documentLoader, currentTime }
  const body = Buffer.from('{"type":"Create","content":"grüezi"}')
  // Its draft-cavage leaves the query out.
  const query = scheme === 'rfc9421' ? '?a=b%20c' : ''
  const url = new URL(`https://remote.example/users/b%C3%B6b/inbox${query}`)

  test.each([{ method: 'POST', body }, { method: 'GET' }])('ours is accepted: $method', async (request) => {
    const added = await signRequest(key, { ...request, url, now, scheme, headers: activityJson })
    const headers = { ...activityJson, ...added, host: url.host }
    const isAccepted = async (sent: RequestInit) =>
      (await verifyByFedify(new Request(url, { ...request, headers, ...sent }), {
        ...options,
        spec: specs[scheme],
      })) !== null
    expect(await isAccepted({})).toBe(true)
    expect(await isAccepted({ method: 'DELETE' })).toBe(false)
  })

  test.each([{ method: 'POST', body }, { method: 'GET' }])('theirs is accepted: $method', async (sent) => {
    const cryptoKey = privateKey.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, true, ['sign'])
    const request = new Request(url, { ...sent, headers: activityJson })
    const { headers } = await signByFedify(request, cryptoKey, new URL(key.id), {
      spec: specs[scheme],
      currentTime,
    })
    const target = `${url.pathname}${url.search}`
    const received = { target, host: url.host, baseUrl: url.origin, headers, body: null, ...sent }
    expect(readSignature(received, now)).toMatchObject({ keyId: key.id, scheme })
    expect(isVerified(received)).toBe(true)
    expect(isVerified({ ...received, target: `${target}/` })).toBe(false)
  })
})

test("Fedify's signature by draft-cavage leaves the query out, and holds for the address without one alone", async () => {
  const cryptoKey = privateKey.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, true, ['sign'])
  const currentTime = toInstant(now)
  const request = new Request('https://chat.example/users/alice/outbox?page=true')
  const { headers } = await signByFedify(request, cryptoKey, new URL(key.id), { currentTime })
  const received = (target: string) => ({
    method: 'GET',
    target,
    host: 'chat.example',
    baseUrl: 'https://chat.example',
    headers,
    body: null,
  })
  expect(isVerified(received('/users/alice/outbox'))).toBe(true)
  expect(isVerified(received('/users/alice/outbox?page=true'))).toBe(false)
})
