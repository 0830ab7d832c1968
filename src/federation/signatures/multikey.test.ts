import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { exportMultibaseKey, importMultibaseKey } from '@fedify/fedify/runtime'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBase58, decodeMultikey, encodeBase58, encodeMultikey, readPublicKeyPem } from './multikey.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')
const pem = (key: KeyObject, type: 'spki' | 'pkcs1' = 'spki') => String(key.export({ type, format: 'pem' }))
const weakRsa = (modulusLength: number, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey

describe('Base58', () => {
  test('has the spellings of the draft that defines it', () => {
    expect(encodeBase58(Buffer.from('Hello World!'))).toBe('z2NEpo7TZRRrLZSi2U')
    expect(encodeBase58(Buffer.from('0000287fb4cd', 'hex'))).toBe('z11233QC4')
    expect(encodeBase58(Buffer.alloc(0))).toBe('z')
    expect(encodeBase58(Buffer.alloc(2))).toBe('z11')
  })

  test('gives back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeBase58(encodeBase58(bytes))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  test.each(['', 'abc', 'Zabc', 'z0', 'zO', 'zl', 'zI', 'z 1', `z${'2'.repeat(1600)}`])(
    'is not %j',
    (text) => {
      expect(decodeBase58(text)).toBeNull()
    },
  )
})

describe('Multikey', () => {
  test('of the example in the specification of eddsa-jcs-2022', () => {
    const text = 'z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2'
    expect(decodeMultikey(text)?.export({ format: 'jwk' })).toMatchObject({ crv: 'Ed25519' })
    expect(encodeMultikey(decodeMultikey(text) as KeyObject)).toBe(text)
  })

  test.each([rsa.publicKey, ed25519.publicKey])('is there and back again', (key) => {
    expect(decodeMultikey(encodeMultikey(key))?.equals(key)).toBe(true)
  })

  test('keeps the zeros that a key begins with', () => {
    for (const zeros of [1, 2, 8]) {
      const raw = Buffer.alloc(32, 9).fill(0, 0, zeros)
      const text = encodeBase58(Buffer.concat([Buffer.from([0xed, 1]), raw]))
      const key = decodeMultikey(text) as KeyObject
      expect(key.export({ format: 'jwk' })).toMatchObject({ x: raw.toString('base64url') })
      expect(encodeMultikey(key)).toBe(text)
    }
  })

  test('is as Fedify writes and reads it', async () => {
    const rsaKey = rsa.publicKey.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, true, ['verify'])
    expect(encodeMultikey(rsa.publicKey)).toBe(await exportMultibaseKey(rsaKey))
    const key = ed25519.publicKey.toCryptoKey('Ed25519', true, ['verify'])
    expect(encodeMultikey(ed25519.publicKey)).toBe(await exportMultibaseKey(key))
    expect((await importMultibaseKey(encodeMultikey(ed25519.publicKey))).algorithm.name).toBe('Ed25519')
  })

  test('is nothing else', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    expect(() => encodeMultikey(other)).toThrow(TypeError)
    const short = Buffer.concat([Buffer.from([0xed, 1]), Buffer.alloc(31)])
    const unknown = Buffer.concat([Buffer.from([0xec, 1]), Buffer.alloc(32, 1)])
    const broken = Buffer.concat([Buffer.from([0x85, 0x24]), Buffer.alloc(300, 1)])
    for (const bytes of [short, unknown, broken]) expect(decodeMultikey(encodeBase58(bytes))).toBeNull()
    for (const text of ['', 'z', 'zz', 'mAAAA']) expect(decodeMultikey(text)).toBeNull()
    expect(decodeMultikey(encodeMultikey(weakRsa(1024)))).toBeNull()
  })
})

describe('A PEM', () => {
  test('is read as SPKI and as PKCS #1', () => {
    expect(readPublicKeyPem(pem(rsa.publicKey))?.equals(rsa.publicKey)).toBe(true)
    expect(readPublicKeyPem(pem(rsa.publicKey, 'pkcs1'))?.equals(rsa.publicKey)).toBe(true)
    expect(readPublicKeyPem(pem(ed25519.publicKey))?.equals(ed25519.publicKey)).toBe(true)
  })

  test('may have other line breaks', () => {
    const text = pem(rsa.publicKey)
    for (const spelt of [
      text.replaceAll('\n', '\r\n'),
      ` ${text.trim()}\n\n`,
      text.replaceAll(/(?<=[\w+/])\n(?=[\w+/])/g, ''),
    ]) {
      expect(readPublicKeyPem(spelt)?.equals(rsa.publicKey)).toBe(true)
    }
  })

  test('is refused when it is no public key', () => {
    const privateKey = String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const text = pem(rsa.publicKey)
    const relabelled = privateKey.replaceAll('PRIVATE', 'PUBLIC')
    const mixed = text.replace('END PUBLIC', 'END RSA PUBLIC')
    const twice = `${text}${text}`
    for (const wrong of [
      '',
      'x',
      privateKey,
      relabelled,
      mixed,
      twice,
      text.slice(0, 200),
      text.replace(/[\w+/]{20}/, ''),
      ' '.repeat(5000),
    ]) {
      expect(readPublicKeyPem(wrong)).toBeNull()
    }
  })

  test('is refused when its key is weak, of another kind, or costly', () => {
    expect(readPublicKeyPem(pem(weakRsa(1024)))).toBeNull()
    expect(readPublicKeyPem(pem(weakRsa(2040)))).toBeNull()
    expect(readPublicKeyPem(pem(weakRsa(2048, 3)))).not.toBeNull()
    for (const other of [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('x25519'),
      generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
    ]) {
      expect(readPublicKeyPem(pem(other.publicKey))).toBeNull()
    }
    const jwk = rsa.publicKey.export({ format: 'jwk' })
    const remade = (change: object) => createPublicKey({ key: { ...jwk, ...change }, format: 'jwk' })
    const wide = Buffer.alloc(1025, 0xff).toString('base64url')
    expect(readPublicKeyPem(pem(remade({ e: Buffer.alloc(200, 0xff).toString('base64url') })))).toBeNull()
    expect(readPublicKeyPem(pem(remade({ e: Buffer.from([1]).toString('base64url') })))).toBeNull()
    expect(readPublicKeyPem(pem(remade({ n: wide })))).toBeNull()
    expect(
      readPublicKeyPem(pem(remade({ n: Buffer.alloc(1024, 0xff).toString('base64url') }))),
    ).not.toBeNull()
  })
})
