import { generateKeyPairSync } from 'node:crypto'
import { preloadedContexts } from '@fedify/fedify/runtime'
import { signJsonLd, verifyJsonLd } from '@fedify/fedify/sig'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toInstant } from '#test/fedify/instant.ts'
import { jsonLdContext } from '../objects/context.ts'
import { signLinkedData } from './ld-signature.ts'

const now = Date.parse('2026-03-01T12:00:00.789Z')
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const owner = 'https://chat.example/users/alice'
const key = { id: `${owner}#main-key`, privateKey }
const announce = {
  '@context': jsonLdContext,
  id: `${owner}/statuses/1/activity`,
  type: 'Announce',
  actor: owner,
  to: ['https://www.w3.org/ns/activitystreams#Public'],
  object: 'https://remote.example/notes/1',
}

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
const loaders = { documentLoader, contextLoader: documentLoader }

test('A document in our context is signed, and Fedify accepts it', async () => {
  const signed = await signLinkedData(announce, key, now)
  expect(signed).toEqual({
    ...announce,
    signature: {
      '@context': 'https://w3id.org/identity/v1',
      type: 'RsaSignature2017',
      creator: key.id,
      created: '2026-03-01T12:00:00Z',
      signatureValue: expect.stringMatching(/^[\w+/]{342}==$/),
    },
  })
  expect(await verifyJsonLd(signed, loaders)).toBe(true)
  expect(await verifyJsonLd({ ...signed, object: 'https://remote.example/notes/2' }, loaders)).toBe(false)
})

test('Fedify makes the same signature, whatever the text', async () => {
  const cryptoKey = privateKey.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, true, ['sign'])
  const text = fc.string({ unit: 'grapheme' })
  const note = fc.record({ summary: text, content: text, sensitive: fc.boolean(), votersCount: fc.nat() })
  const second = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1000)
  await fc.assert(
    fc.asyncProperty(note, second, async (properties, created) => {
      const object = { id: `${owner}/statuses/1`, type: 'Note', ...properties }
      const document = { ...announce, type: 'Create', object }
      const options = { contextLoader: documentLoader, created: toInstant(created) }
      const theirs = await signJsonLd(document, cryptoKey, new URL(key.id), options)
      expect(await signLinkedData(document, key, created)).toEqual(theirs)
    }),
    { numRuns: 50 },
  )
})

test('A signature that is there is replaced', async () => {
  const signed = await signLinkedData(announce, key, now)
  expect(await signLinkedData(signed, key, now)).toEqual(signed)
})

test('No context is fetched', async () => {
  for (const url of ['https://remote.example/context', 'constructor', '__proto__']) {
    await expect(signLinkedData({ ...announce, '@context': url }, key, now)).rejects.toThrow()
  }
})

test('All terms of our notes can be signed', async () => {
  const note = {
    id: `${owner}/statuses/1`,
    type: 'Question',
    summary: null,
    inReplyTo: null,
    inReplyToAtomUri: null,
    published: '2026-03-01T12:00:00Z',
    updated: '2026-03-01T12:00:00Z',
    url: `${owner}/1`,
    attributedTo: owner,
    to: announce.to,
    cc: [`${owner}/followers`],
    sensitive: true,
    atomUri: `${owner}/statuses/1`,
    content: '<p>grüezi</p>',
    contentMap: { de: '<p>grüezi</p>' },
    source: { content: 'grüezi', mediaType: 'text/plain' },
    attachment: [
      {
        type: 'Document',
        mediaType: 'image/png',
        url: 'https://chat.example/1.png',
        name: null,
        blurhash: 'L00000fQfQfQfQfQfQfQfQfQfQfQ',
        focalPoint: [0, -0.5],
        width: 1,
        height: 1,
      },
    ],
    tag: [
      { type: 'Mention', href: owner, name: '@alice' },
      { type: 'Hashtag', href: 'https://chat.example/tags/a', name: '#a' },
      {
        id: 'https://chat.example/emojis/a',
        type: 'Emoji',
        name: ':a:',
        icon: { type: 'Image', url: `${owner}.png` },
      },
    ],
    interactionPolicy: { canQuote: { automaticApproval: [owner], manualApproval: [owner] } },
    quote: announce.object,
    quoteUri: announce.object,
    _misskey_quote: announce.object,
    quoteAuthorization: announce.object,
    oneOf: [{ type: 'Note', name: 'yes', replies: { type: 'Collection', totalItems: 1 } }],
    endTime: '2026-03-01T12:00:00Z',
    closed: '2026-03-01T12:00:00Z',
    votersCount: 1,
  }
  const signed = await signLinkedData({ ...announce, type: 'Create', object: note }, key, now)
  expect(await verifyJsonLd(signed, loaders)).toBe(true)
})
