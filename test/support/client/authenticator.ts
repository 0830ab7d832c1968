// A security key in software, with the browser that asks it: ES256, no attestation (Web Authentication Level 3).
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type { Json } from './client.ts'

export interface Authenticator {
  /** Answers `navigator.credentials.create`. */
  create(options: Json, tricks?: Tricks): string
  /** Answers `navigator.credentials.get`, with one of the keys that are asked for, or any of this server. */
  get(options: Json, tricks?: Tricks): string
}

/** What a browser or key of an attacker does otherwise. */
export interface Tricks {
  origin?: string
  rpId?: string
  challenge?: string
  /** The person was not asked for a PIN or the like. */
  unverified?: boolean
  /** What the counter says. */
  signCount?: number
  crossOrigin?: boolean
  userHandle?: string | null
  /** Of the attestation. */
  format?: string
  statement?: Map<string, unknown>
  type?: string
}

interface Key {
  id: Buffer
  rpId: string
  userHandle: string
  privateKey: KeyObject
  signCount: number
}

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** `counting`: its counter rises with every use, as that of keys of hardware. `makePair`: its keys, on P-256. */
export function createAuthenticator(
  origin: string,
  { counting = true, makePair = newPair } = {},
): Authenticator {
  const keys: Key[] = []
  return {
    create(options, tricks = {}) {
      const { privateKey, publicKey } = makePair()
      const rpId = tricks.rpId ?? options.rp.id
      const signCount = counting ? 1 : 0
      const key: Key = { id: randomBytes(32), rpId, userHandle: options.user.id, privateKey, signCount }
      keys.push(key)
      const client = clientData(origin, 'webauthn.create', options.challenge, tricks)
      return credential(key.id, {
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestationOf(key, publicKey, tricks).toString('base64url'),
        transports: ['usb', 'nfc', 'something-new'],
      })
    },

    get(options, tricks = {}) {
      const asked = options.allowCredentials?.map((one: Json) => one.id)
      const key = keys.find((one) => !asked || asked.includes(one.id.toString('base64url'))) ?? keys[0]
      if (!key) throw new Error('this authenticator has no keys')
      if (counting) key.signCount += 1
      const client = clientData(origin, 'webauthn.get', options.challenge, tricks)
      const data = authenticatorData({ ...key, rpId: tricks.rpId ?? key.rpId }, tricks)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), key.privateKey)
      const handle = tricks.userHandle === undefined ? key.userHandle : tricks.userHandle
      return credential(key.id, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(handle !== null && { userHandle: handle }),
      })
    },
  }
}

/** What the browser says of the page (section 5.8.1). */
function clientData(home: string, usual: string, asked: string, tricks: Tricks): Buffer {
  const { type = usual, challenge = asked, origin = home, crossOrigin = false } = tricks
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
}

/** Section 6.5.4, with the new key in it. */
function attestationOf(key: Key, publicKey: KeyObject, tricks: Tricks): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(key.id.length)
  const cose = coseKey(publicKey.export({ format: 'jwk' }))
  const authData = [
    authenticatorData(key, { ...tricks, isNew: true }),
    Buffer.alloc(16),
    length,
    key.id,
    cose,
  ]
  return encode(
    new Map<string, unknown>([
      ['fmt', tricks.format ?? 'none'],
      ['attStmt', tricks.statement ?? new Map()],
      ['authData', Buffer.concat(authData)],
    ]),
  )
}

function credential(keyId: Buffer, response: object): string {
  const id = keyId.toString('base64url')
  return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/** Section 6.1: hash of the relying party, flags, counter. */
function authenticatorData(key: Key, tricks: Tricks & { isNew?: boolean }): Buffer {
  const flags = 0x01 | (tricks.unverified ? 0 : 0x04) | (tricks.isNew ? 0x40 : 0)
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags)
  rest.writeUInt32BE(tricks.signCount ?? key.signCount, 1)
  return Buffer.concat([sha256(key.rpId), rest])
}

/** RFC 9053 section 7.1.1: an ES256 key on P-256. */
function coseKey({ x = '', y = '' }: { x?: string; y?: string }): Buffer {
  return encode(
    new Map<unknown, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

/** CBOR (RFC 8949) of what is needed here: integers, bytes, texts, lists and maps. */
export function encode(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)])
  if (value instanceof Map) {
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([name, one]) => [encode(name), encode(one)]),
    ])
  }
  throw new TypeError(`no CBOR of ${typeof value} here`)
}

function head(major: number, count: number): Buffer {
  const first = major << 5
  if (count < 24) return Buffer.from([first | count])
  if (count < 256) return Buffer.from([first | 24, count])
  return Buffer.from([first | 25, count >> 8, count & 255])
}
