import { generateKeyPairSync } from 'node:crypto'
import { preloadedContexts } from '@fedify/fedify/runtime'
import { signObject, verifyObject } from '@fedify/fedify/sig'
import { Create, Note } from '@fedify/fedify/vocab'
import { describe, expect, test } from 'vitest'
import { toInstant } from '#test/fedify/instant.ts'
import { addProof, readProof, verifyProof } from './integrity-proof.ts'
import { encodeMultikey } from './multikey.ts'

const now = Date.parse('2026-03-01T12:00:00.789Z')
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const owner = 'https://chat.example/users/alice'
const verificationMethod = `${owner}#ed25519-key`
const key = { privateKey, verificationMethod, created: now }

const note = {
  '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/data-integrity/v1'],
  id: `${owner}/statuses/1/activity`,
  type: 'Create',
  actor: owner,
  to: ['https://www.w3.org/ns/activitystreams#Public'],
  object: { id: `${owner}/statuses/1`, type: 'Note', attributedTo: owner, content: '<p>grüezi 🦆</p>' },
}

const isVerified = (document: Record<string, unknown>, at = now) => verifyProof(document, publicKey, at)

const proofOf = (document: Record<string, unknown>) => document['proof'] as Record<string, unknown>

describe('A proof', () => {
  test('is added and verified', () => {
    const document = addProof(note, key)
    expect(document).toEqual({
      ...note,
      proof: {
        '@context': note['@context'],
        type: 'DataIntegrityProof',
        cryptosuite: 'eddsa-jcs-2022',
        verificationMethod,
        proofPurpose: 'assertionMethod',
        created: '2026-03-01T12:00:00Z',
        proofValue: expect.stringMatching(/^z[1-9A-HJ-NP-Za-km-z]{80,}$/),
      },
    })
    expect(readProof(document)).toEqual({
      verificationMethod,
      created: new Date('2026-03-01T12:00:00Z'),
      expires: null,
    })
    expect(isVerified(document)).toBe(true)
    expect(isVerified(JSON.parse(JSON.stringify(document)))).toBe(true)
  })

  test('holds in a list of one, in any order of members, and without a context', () => {
    const document = addProof(note, key)
    expect(isVerified({ ...document, proof: [document['proof']] })).toBe(true)
    expect(isVerified(Object.fromEntries(Object.entries(document).toReversed()))).toBe(true)
    const { '@context': _, ...bare } = note
    expect(isVerified(addProof(bare, key))).toBe(true)
    expect(proofOf(addProof(bare, key))).not.toHaveProperty('@context')
  })

  test('is replaced, not signed over', () => {
    const twice = addProof(addProof(note, key), { ...key, created: now + 1000 })
    expect(twice).toEqual(addProof(note, { ...key, created: now + 1000 }))
  })

  test('does not hold for anything that is changed', () => {
    const document = addProof(note, key)
    const proof = proofOf(document)
    const changes: Record<string, unknown>[] = [
      { actor: 'https://evil.example/' },
      { more: 1 },
      { object: { ...note.object, content: '' } },
      { '@context': 'https://www.w3.org/ns/activitystreams' },
      { proof: { ...proof, created: '2026-03-01T12:00:01Z' } },
      { proof: { ...proof, verificationMethod: 'https://evil.example/' } },
      { proof: { ...proof, more: 1 } },
      { proof: { ...proof, '@context': 'https://www.w3.org/ns/activitystreams' } },
      { proof: { ...proof, proofValue: String(proof['proofValue']).replace(/.$/, '1') } },
    ]
    for (const change of changes) expect(isVerified({ ...document, ...change })).toBe(false)
    const { type: _, ...less } = document
    expect(isVerified(less)).toBe(false)
    const other = generateKeyPairSync('ed25519').publicKey
    expect(verifyProof(document, other, now)).toBe(false)
    expect(verifyProof(document, generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey, now)).toBe(
      false,
    )
  })

  test('is not read in another form', () => {
    const document = addProof(note, key)
    const proof = proofOf(document)
    const wrong: unknown[] = [
      undefined,
      null,
      'x',
      [],
      [[proof]],
      [proof, proof],
      ...Object.keys(proof)
        .filter((name) => name !== '@context')
        .flatMap((name) => [
          { ...proof, [name]: undefined },
          { ...proof, [name]: 1 },
          { ...proof, [name]: 'x' },
        ]),
    ]
    for (const each of wrong) {
      expect(isVerified({ ...document, proof: each })).toBe(false)
    }
    expect(readProof({ ...document, proof: { ...proof, type: ['DataIntegrityProof'] } })).toBeNull()
    expect(readProof({ ...document, proof: { ...proof, expires: 'soon' } })).toBeNull()
    expect(isVerified({ ...document, deep: JSON.parse('['.repeat(1000) + ']'.repeat(1000)) })).toBe(false)
  })

  test('holds until it expires', () => {
    const document = addProof(note, key)
    const expires = '2026-03-02T00:00:00Z'
    expect(isVerified({ ...document, proof: { ...proofOf(document), expires } })).toBe(false)
    expect(readProof({ ...document, proof: { ...proofOf(document), expires } })?.expires).toEqual(
      new Date(expires),
    )
  })
})

describe('With Fedify', () => {
  const actor = {
    '@context': [
      'https://www.w3.org/ns/activitystreams',
      'https://www.w3.org/ns/did/v1',
      'https://w3id.org/security/multikey/v1',
    ],
    id: owner,
    type: 'Person',
    inbox: `${owner}/inbox`,
    assertionMethod: [
      {
        id: verificationMethod,
        type: 'Multikey',
        controller: owner,
        publicKeyMultibase: encodeMultikey(publicKey),
      },
    ],
  }
  const documentLoader = async (url: string) => {
    const document = preloadedContexts[url] ?? (url.startsWith(owner) ? actor : undefined)
    if (document === undefined) throw new Error(`not here: ${url}`)
    return { contextUrl: null, documentUrl: url, document }
  }
  const loaders = { documentLoader, contextLoader: documentLoader }

  test('ours is accepted', async () => {
    const document = addProof(note, key)
    expect(await verifyObject(Create, document, loaders)).not.toBeNull()
    expect(await verifyObject(Create, { ...document, published: '2026-03-01T12:00:00Z' }, loaders)).toBeNull()
  })

  test('theirs is accepted', async () => {
    const created = toInstant(now)
    const object = new Note({
      id: new URL(note.object.id),
      attribution: new URL(owner),
      content: 'grüezi 🦆',
    })
    const create = new Create({
      id: new URL(note.id),
      actor: new URL(owner),
      object,
      to: new URL('https://remote.example/users/bob'),
    })
    const cryptoKey = privateKey.toCryptoKey('Ed25519', true, ['sign'])
    const signed = await signObject(create, cryptoKey, new URL(verificationMethod), { ...loaders, created })
    const document = (await signed.toJsonLd({ ...loaders, format: 'compact' })) as Record<string, unknown>
    expect(readProof(document)).toMatchObject({ verificationMethod, created: new Date(now) })
    expect(isVerified(document)).toBe(true)
    expect(isVerified({ ...document, actor: 'https://evil.example/' })).toBe(false)
  })
})
