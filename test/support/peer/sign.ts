// Signs requests as other servers do, or wrongly on purpose. Shares no code with the server under test.
import { createHash, sign as signBytes } from 'node:crypto'
import type { PeerKey } from './keys.ts'

export type Scheme = 'cavage' | 'rfc9421'

/** A request ready to go: what is in here goes out byte for byte. */
export interface RawRequest {
  method: string
  url: URL
  /** In this order; a name may come twice. */
  headers: [name: string, value: string][]
  body: string | Buffer | null
}

export interface SignOptions {
  /** Default: draft-cavage-http-signatures-12. */
  scheme?: Scheme
  /** No signature at all. A digest is there all the same. */
  unsigned?: boolean
  /** Signs with this key instead of the actor's own. */
  key?: PeerKey
  /** Names this key instead of the actor's own. */
  keyId?: string
  /** Milliseconds since the epoch: the `Date` header, and `created` of RFC 9421. */
  date?: number
  /** Covers these headers or components instead of all. */
  cover?: string[]
  /** The `algorithm` (`alg`) parameter; null: none. What is done is RSA with SHA-256 always. */
  algorithm?: string | null
  /** Seconds since the epoch, as parameters of the signature. */
  created?: number
  expires?: number
  /** Signed and sent as `Host`. */
  host?: string
  /** Signed as the path and query, whatever is asked for. */
  target?: string
  /** The `Digest` or `Content-Digest` header; null: none. */
  digest?: string | null
  contentType?: string
  /** Sent instead of what was signed. */
  alteredBody?: string | Buffer
  /** Changes header fields after signing: null takes one away, a list sends it several times. */
  headers?: Record<string, string | string[] | null>
  /** Changes the value of the `Signature` header. */
  alterSignature?: (value: string) => string
  /** Sends the body in chunks, without its length. */
  chunked?: boolean
}

export interface SignParts {
  method: 'GET' | 'POST'
  url: URL
  body: string | Buffer | null
  keyId: string
  key: PeerKey
  now: number
}

export const activityTypes =
  'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

/** The request with its signature, and with what the options spoil. */
export function buildRequest(parts: SignParts, options: SignOptions = {}): RawRequest {
  const headers = baseHeaders(parts, options)
  if (!options.unsigned) {
    const signature =
      options.scheme === 'rfc9421'
        ? signRfc9421(parts, headers, options)
        : signCavage(parts, headers, options)
    for (const [name, value] of Object.entries(signature)) headers.set(name, value)
  }
  const signature = headers.get('signature')
  if (signature !== undefined && options.alterSignature)
    headers.set('signature', options.alterSignature(signature))
  const body = options.alteredBody ?? parts.body
  const changes = { ...framing(body, options), ...options.headers }
  return { method: parts.method, url: parts.url, headers: alterHeaders([...headers], changes), body }
}

function framing(body: string | Buffer | null, { chunked }: SignOptions): Record<string, string> {
  if (body === null) return {}
  return chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(Buffer.byteLength(body)) }
}

function baseHeaders({ url, body, now }: SignParts, options: SignOptions): Map<string, string> {
  const headers = new Map([
    ['host', options.host ?? url.host],
    ['date', new Date(options.date ?? now).toUTCString()],
    ['accept', activityTypes],
    ['user-agent', 'Kit/1.0 (a peer in tests)'],
  ])
  if (body === null) return headers
  headers.set('content-type', options.contentType ?? 'application/activity+json')
  const hash = createHash('sha256').update(body).digest('base64')
  const [name, value] =
    options.scheme === 'rfc9421' ? ['content-digest', `sha-256=:${hash}:`] : ['digest', `SHA-256=${hash}`]
  if (options.digest !== null) headers.set(name, options.digest ?? value)
  return headers
}

type Headers = ReadonlyMap<string, string>

function signCavage(parts: SignParts, headers: Headers, options: SignOptions): Record<string, string> {
  const ofBody = ['digest', 'content-type'].filter((name) => headers.has(name))
  const cover = options.cover ?? ['(request-target)', 'host', 'date', ...ofBody]
  const target = options.target ?? `${parts.url.pathname}${parts.url.search}`
  const special: Record<string, string> = {
    '(request-target)': `${parts.method.toLowerCase()} ${target}`,
    '(created)': String(options.created ?? ''),
    '(expires)': String(options.expires ?? ''),
  }
  const lines = cover.map((name) => `${name}: ${special[name] ?? headers.get(name) ?? ''}`)
  const algorithm = options.algorithm === undefined ? 'rsa-sha256' : options.algorithm
  const params = [
    `keyId="${options.keyId ?? parts.keyId}"`,
    ...(algorithm === null ? [] : [`algorithm="${algorithm}"`]),
    ...(options.created === undefined ? [] : [`created=${options.created}`]),
    ...(options.expires === undefined ? [] : [`expires=${options.expires}`]),
    `headers="${cover.join(' ')}"`,
    `signature="${signText(lines.join('\n'), options.key ?? parts.key)}"`,
  ]
  return { signature: params.join(',') }
}

/** RFC 9421, sections 2.5 and 3.3.2. */
function signRfc9421(parts: SignParts, headers: Headers, options: SignOptions): Record<string, string> {
  const digest = headers.has('content-digest') ? ['content-digest'] : []
  const cover = options.cover ?? ['@method', '@target-uri', ...digest]
  const created = options.created ?? Math.floor((options.date ?? parts.now) / 1000)
  const algorithm = options.algorithm === undefined ? 'rsa-v1_5-sha256' : options.algorithm
  const params = [
    `(${cover.map((name) => `"${name}"`).join(' ')})`,
    `created=${created}`,
    ...(options.expires === undefined ? [] : [`expires=${options.expires}`]),
    `keyid="${options.keyId ?? parts.keyId}"`,
    ...(algorithm === null ? [] : [`alg="${algorithm}"`]),
  ].join(';')
  const lines = cover.map((name) => `"${name}": ${component(name, parts, headers, options)}`)
  const text = [...lines, `"@signature-params": ${params}`].join('\n')
  return {
    'signature-input': `sig1=${params}`,
    signature: `sig1=:${signText(text, options.key ?? parts.key)}:`,
  }
}

function component(name: string, parts: SignParts, headers: Headers, options: SignOptions): string {
  const { url, method } = parts
  const authority = options.host ?? url.host
  const target = options.target ?? `${url.pathname}${url.search}`
  const derived: Record<string, string> = {
    '@method': method,
    '@target-uri': `${url.protocol}//${authority}${target}`,
    '@authority': authority,
    '@scheme': url.protocol.slice(0, -1),
    '@request-target': target,
    '@path': target.split('?')[0] ?? '',
    '@query': url.search === '' ? '?' : url.search,
  }
  return derived[name] ?? headers.get(name) ?? ''
}

const signText = (text: string, key: PeerKey) =>
  signBytes('RSA-SHA256', Buffer.from(text), key.privateKey).toString('base64')

function alterHeaders(
  headers: [string, string][],
  changes: Record<string, string | string[] | null>,
): [string, string][] {
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()))
  const kept = headers.filter(([name]) => !changed.has(name))
  const added = Object.entries(changes).flatMap(([name, values]) =>
    values === null ? [] : [values].flat().map((value): [string, string] => [name.toLowerCase(), value]),
  )
  return [...kept, ...added]
}
