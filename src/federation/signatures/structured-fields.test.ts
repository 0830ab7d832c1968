// Our reading and writing of structured fields beside those of structured-headers.
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import {
  parseDictionary,
  serializeDictionary,
  serializeInnerList,
  Token,
  type BareItem,
  type InnerList,
} from 'structured-headers'
import { describe, expect, test } from 'vitest'
import { readMessageSignature } from './read-message-signature.ts'
import { Refusal, type FoundSignature } from './received-request.ts'
import { digestOf, signRequest } from './sign-request.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const body = Buffer.from('{"type":"Create"}')
const digest = `sha-256=:${digestOf(body)}:`
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** What is read of a request with these headers; null when it is refused. */
function read(headers: Record<string, string>): FoundSignature | null {
  const all = new Headers({ host: 'chat.example', 'content-digest': digest, ...headers })
  const request = { method: 'POST', target: '/inbox', host: 'chat.example', baseUrl: 'https://chat.example' }
  try {
    return readMessageSignature({ ...request, headers: all, body }, now)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

const members = ['@method', '@target-uri', 'content-digest']
const signature = (label: string) => `${label}=:${Buffer.from('signed').toString('base64')}:`

/** A text with some characters replaced, left out or put in; without blanks at its ends, as HTTP has no such value. */
const mutated = (text: string, alphabet: string) =>
  fc
    .array(
      fc.record({
        at: fc.nat(text.length),
        out: fc.nat(2),
        put: fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 2 }),
      }),
      { maxLength: 3 },
    )
    .map((changes) => {
      let made = text
      for (const { at, out, put } of changes) made = made.slice(0, at) + put + made.slice(at + out)
      return made.replaceAll(/^[ \t]+|[ \t]+$/g, '')
    })

const printable = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 40,
})
const fieldKey = fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,8}$/)

describe('Signature-Input', () => {
  test('means there what it means here, whatever it is', () => {
    const usual = `sig1=("@method" "@target-uri" "content-digest");created=${now / 1000};keyid="https://a.example/k\\"#1";alg="ed25519";tag="x"`
    let taken = 0
    fc.assert(
      fc.property(mutated(usual, ' \t()";=,\\?:1aZé@-'), (input) => {
        if ([...input].some((character) => character > '\xff')) return
        const found = read({ 'signature-input': input, signature: signature('sig1') })
        if (!found) return
        taken += 1
        const theirs = [...parseDictionary(input)]
        expect(theirs).toHaveLength(1)
        const [items, parameters] = theirs[0]![1] as InnerList
        expect(items.every(([, own]) => own.size === 0)).toBe(true)
        const lines = found.text.split('\n')
        expect(lines.slice(0, -1).map((line) => line.slice(0, line.indexOf(':')))).toEqual(
          items.map(([name]) => JSON.stringify(name)),
        )
        expect(lines.at(-1)).toBe(`"@signature-params": ${serializeInnerList([items, parameters])}`)
        expect(found.keyId).toBe(parameters.get('keyid'))
        expect(found.created?.getTime()).toBe((parameters.get('created') as number) * 1000)
        expect(found.algorithm).toBe(parameters.get('alg') ?? 'of-key')
      }),
      { numRuns: 5000 },
    )
    expect(taken).toBeGreaterThan(500)
  })

  test('is taken in its canonical spelling with further parameters, in any order', () => {
    const value: fc.Arbitrary<BareItem> = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
      fc.nat(999_999_999),
      fc.stringMatching(/^[A-Za-z*][\w.*/:-]{0,9}$/).map((text) => new Token(text)),
    )
    const known = new Set(['created', 'expires', 'keyid', 'alg'])
    const others = fc.dictionary(
      fieldKey.filter((key) => !known.has(key)),
      value,
      { maxKeys: 4 },
    )
    const lists = fc.tuple(
      fieldKey,
      printable,
      others,
      fc.shuffledSubarray(members, { minLength: 3 }),
      fc.nat(),
    )
    fc.assert(
      fc.property(lists, ([label, keyId, extra, names, turn]) => {
        const all: [string, BareItem][] = [
          ['created', now / 1000],
          ['keyid', keyId],
          ['alg', 'rsa-v1_5-sha256'],
          ...Object.entries(extra),
        ]
        const at = turn % all.length
        const parameters = new Map([...all.slice(at), ...all.slice(0, at)])
        const list: InnerList = [names.map((name) => [name, new Map()]), parameters]
        const input = serializeDictionary(new Map([[label, list]]))
        const found = read({ 'signature-input': input, signature: signature(label) })
        expect(found).toMatchObject({ keyId, algorithm: 'rsa-v1_5-sha256', created: new Date(now) })
        expect(found?.text.endsWith(`\n"@signature-params": ${serializeInnerList(list)}`)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

const input = `sig1=("@method" "@target-uri" "content-digest");created=${now / 1000};keyid="k"`

test('Signature is read as there', () => {
  fc.assert(
    fc.property(mutated(signature('sig1'), ':=,; +/a1"'), (header) => {
      const found = read({ 'signature-input': input, signature: header })
      if (!found) return
      const theirs = [...parseDictionary(header)]
      expect(theirs.map(([label]) => label)).toEqual(['sig1'])
      expect(Buffer.from(theirs[0]![1][0] as ArrayBuffer)).toEqual(found.signature)
    }),
    { numRuns: 3000 },
  )
})

test('Content-Digest is read as there', () => {
  const list = `sha-512=:${Buffer.alloc(64).toString('base64')}:, ${digest}`
  fc.assert(
    fc.property(mutated(list, ' ,=:;"aA1?-'), (header) => {
      if (!read({ 'signature-input': input, signature: signature('sig1'), 'content-digest': header })) return
      const [found, parameters] = parseDictionary(header).get('sha-256') as [
        ArrayBuffer,
        Map<string, unknown>,
      ]
      expect(Buffer.from(found).toString('base64')).toBe(digestOf(body))
      expect(parameters.size).toBe(0)
    }),
    { numRuns: 5000 },
  )
})

test('what we send is read there as it is meant', async () => {
  await fc.assert(
    fc.asyncProperty(printable, async (id) => {
      const url = new URL('https://remote.example/inbox')
      const sent = await signRequest(
        { id, privateKey },
        { method: 'POST', url, body, now, scheme: 'rfc9421' },
      )
      const [items, parameters] = parseDictionary(sent['signature-input']!).get('sig1') as InnerList
      expect(items.map(([name]) => name)).toEqual(['@method', '@target-uri', '@authority', 'content-digest'])
      expect(parameters.get('keyid')).toBe(id)
      expect(parseDictionary(sent['signature']!).get('sig1')?.[0]).toBeInstanceOf(ArrayBuffer)
      expect(parseDictionary(sent['content-digest']!).has('sha-256')).toBe(true)
    }),
    { numRuns: 30 },
  )
})
