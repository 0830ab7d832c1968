// Stands for a push service and the devices behind it: takes messages, checks who signed them, and decrypts them with
// node:crypto alone, by the words of RFC 8291, RFC 8292 and the drafts before them.
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Json } from '#test/client/client.ts'
import { parseExactly } from '#test/client/parse-exactly.ts'

export interface PushDevice {
  /** As an app sends it. */
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** What came, decrypted and parsed, in order. */
  readonly messages: Json[]
}

export interface ReceivedPush {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** What the signature says, once it was verified. */
  readonly claims: { aud: string; exp: number; sub: string }
  /** The text, before it is parsed. */
  readonly text: string
}

export interface PushService {
  readonly origin: string
  readonly received: ReceivedPush[]
  /** How the next messages are answered: 201 at first. 0: not at all. */
  answer: { status: number; headers?: Record<string, string> }
  device(): PushDevice
}

interface Keys {
  curve: ECDH
  auth: Buffer
  messages: Json[]
}

/** A push service on an address of its own in 127.0.0.0/8, until the test ends. */
export async function startPushService(serverKey: string, host = '127.0.0.1'): Promise<PushService> {
  const devices = new Map<string, Keys>()
  const received: ReceivedPush[] = []
  const service: PushService = {
    origin: '',
    received,
    answer: { status: 201 },
    device() {
      const keys = { curve: createECDH('prime256v1'), auth: randomBytes(16), messages: [] }
      const p256dh = keys.curve.generateKeys('base64url')
      const path = `/send/${devices.size + 1}`
      devices.set(path, keys)
      const subscription = {
        endpoint: service.origin + path,
        keys: { p256dh, auth: keys.auth.toString('base64url') },
      }
      return { subscription, messages: keys.messages }
    },
  }
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const keys = devices.get(request.url ?? '')
    const body = await buffer(request)
    if (!keys) return void response.writeHead(404).end()
    const text = decrypt(request.headers, body, keys)
    const claims = verifySender(request.headers, serverKey)
    received.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
      claims,
      text,
    })
    const { status, headers } = service.answer
    if (status >= 200 && status < 300) keys.messages.push(parseExactly(text))
    if (status > 0) response.writeHead(status, headers).end()
  }
  const server = createServer((request, response) => {
    // A message that does not decrypt, or is not signed, is a failure of the test: it sees none.
    take(request, response).catch((error: unknown) => void response.writeHead(400).end(String(error)))
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  return Object.assign(service, { origin })
}

const bytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')
const hkdf = (ikm: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', ikm, salt, info, length))

function decrypt(headers: IncomingHttpHeaders, body: Buffer, keys: Keys): string {
  if (headers['content-encoding'] === 'aes128gcm') return decryptStandard(body, keys)
  if (headers['content-encoding'] === 'aesgcm') return decryptLegacy(headers, body, keys)
  throw new Error(`unknown encoding: ${headers['content-encoding']}`)
}

/** RFC 8291, section 3, over RFC 8188: one record, whose padding begins with a 2. */
function decryptStandard(body: Buffer, { curve, auth }: Keys): string {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const idLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + idLength)
  const record = body.subarray(21 + idLength)
  if (idLength !== 65 || record.length > recordSize)
    throw new Error('not one record with the key of its sender')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender])
  const ikm = hkdf(curve.computeSecret(sender), auth, info, 32)
  const key = hkdf(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const padded = open(record, key, nonce)
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('the last record ends with a 2')
  return padded.subarray(0, end).toString()
}

/** draft-ietf-webpush-encryption-04 over draft-ietf-httpbis-encryption-encoding-03. */
function decryptLegacy(headers: IncomingHttpHeaders, body: Buffer, { curve, auth }: Keys): string {
  const salt = bytes(/salt=([\w-]+)/.exec(String(headers['encryption']))?.[1])
  const sender = bytes(/(?:^|[;,])dh=([\w-]+)/.exec(String(headers['crypto-key']))?.[1])
  const length = Buffer.from([0, 65])
  const context = Buffer.concat([Buffer.from('P-256\0'), length, curve.getPublicKey(), length, sender])
  const ikm = hkdf(curve.computeSecret(sender), auth, Buffer.from('Content-Encoding: auth\0'), 32)
  const infoOf = (name: string) => Buffer.concat([Buffer.from(`Content-Encoding: ${name}\0`), context])
  const padded = open(body, hkdf(ikm, salt, infoOf('aesgcm'), 16), hkdf(ikm, salt, infoOf('nonce'), 12))
  return padded.subarray(2 + padded.readUInt16BE(0)).toString()
}

function open(sealed: Buffer, key: Buffer, nonce: Buffer): Buffer {
  const decipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: 16 })
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
}

/** RFC 8292, sections 2 and 3; in its first draft the key stood in a header of its own. */
function verifySender(headers: IncomingHttpHeaders, serverKey: string): ReceivedPush['claims'] {
  const authorization = String(headers.authorization)
  const legacy = /^WebPush ([\w.-]+)$/.exec(authorization)
  const standard = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization)
  const token = (legacy ?? standard)?.[1]
  const key = standard?.[2] ?? /p256ecdsa=([\w-]+)/.exec(String(headers['crypto-key']))?.[1]
  if (token === undefined || key !== serverKey)
    throw new Error(`not signed by ${serverKey}: ${authorization}`)
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = bytes(key)
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const signed = Buffer.from(`${header}.${claims}`)
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes(signature)))
    throw new Error('the signature is wrong')
  if (JSON.parse(bytes(header).toString()).alg !== 'ES256') throw new Error('not ES256')
  return JSON.parse(bytes(claims).toString())
}
