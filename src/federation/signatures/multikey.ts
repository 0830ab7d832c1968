// Public keys as actors publish them: Multikey (https://www.w3.org/TR/cid-1.0/#Multikey) and PEM.

import { createPublicKey, type KeyObject } from 'node:crypto'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** An RSA key of 8192 bits takes about 1,430 characters. */
const maxMultibaseLength = 1600
const maxPemLength = 4096

/** Bytes as multibase, base58btc: `z…`. */
export function encodeBase58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  const leading = zeros === -1 ? bytes.length : zeros
  const digits: string[] = []
  for (let rest = toNumber(bytes); rest > 0n; rest /= 58n) digits.push(alphabet.charAt(Number(rest % 58n)))
  return `z${'1'.repeat(leading)}${digits.toReversed().join('')}`
}

/** What `encodeBase58` made; null for anything else. */
export function decodeBase58(text: string): Buffer | null {
  if (text.length > maxMultibaseLength || !/^z[1-9A-HJ-NP-Za-km-z]*$/.test(text)) return null
  const digits = text.slice(1)
  const leading = /^1*/.exec(digits)?.[0].length ?? 0
  let number = 0n
  for (const digit of digits) number = number * 58n + BigInt(alphabet.indexOf(digit))
  return Buffer.concat([Buffer.alloc(leading), toBytes(number)])
}

const toNumber = (bytes: Uint8Array) => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)

function toBytes(number: bigint): Buffer {
  if (number === 0n) return Buffer.alloc(0)
  const hex = number.toString(16)
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
}

/** The multicodec numbers of the kinds of keys, as varints. */
const ed25519 = Buffer.from([0xed, 0x01])
const rsa = Buffer.from([0x85, 0x24])

/** A public key, RSA or Ed25519, as Multikey's `publicKeyMultibase`. Throws a TypeError for other kinds. */
export function encodeMultikey(key: KeyObject): string {
  if (key.asymmetricKeyType === 'ed25519') {
    const { x = '' } = key.export({ format: 'jwk' })
    return encodeBase58(Buffer.concat([ed25519, Buffer.from(x, 'base64url')]))
  }
  if (key.asymmetricKeyType !== 'rsa') throw new TypeError('only RSA and Ed25519 keys can be a Multikey')
  return encodeBase58(Buffer.concat([rsa, key.export({ format: 'der', type: 'pkcs1' })]))
}

/** The key in a Multikey's `publicKeyMultibase`; null when it is malformed or must not be trusted. */
export function decodeMultikey(text: string): KeyObject | null {
  const bytes = decodeBase58(text)
  if (!bytes) return null
  const content = bytes.subarray(2)
  if (bytes.subarray(0, 2).equals(ed25519)) {
    const x = content.toString('base64url')
    return content.length === 32
      ? load(() => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }))
      : null
  }
  return bytes.subarray(0, 2).equals(rsa)
    ? load(() => createPublicKey({ key: content, format: 'der', type: 'pkcs1' }))
    : null
}

const pemForm = /^\s*-----BEGIN (RSA )?PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END \1?PUBLIC KEY-----\s*$/

/**
 * The key in an actor's `publicKeyPem`, as SPKI or PKCS #1 (RFC 7468, section 13; RFC 8017, appendix A.1.1). Null when
 * it is malformed or must not be trusted: another kind than RSA and Ed25519, or RSA below 2048 or above 8192 bits.
 */
export function readPublicKeyPem(pem: string): KeyObject | null {
  const [, pkcs1, base64 = ''] = pem.length > maxPemLength ? [] : (pemForm.exec(pem) ?? [])
  const key = Buffer.from(base64, 'base64')
  return load(() => createPublicKey({ key, format: 'der', type: pkcs1 ? 'pkcs1' : 'spki' }))
}

function load(read: () => KeyObject): KeyObject | null {
  try {
    const key = read()
    return isTrustworthy(key) ? key : null
  } catch {
    return null
  }
}

/** Small keys can be broken; large ones, and large exponents, cost those who verify. */
function isTrustworthy({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): boolean {
  if (asymmetricKeyType === 'ed25519') return true
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails
  const fits = modulusLength >= 2048 && modulusLength <= 8192
  return asymmetricKeyType === 'rsa' && fits && publicExponent >= 3n && publicExponent < 2n ** 32n
}
