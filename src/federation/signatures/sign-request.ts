// Signs requests to other servers (draft-cavage-http-signatures-12 and RFC 9421).

import { createHash, sign, type KeyObject } from 'node:crypto'

export type SignatureScheme = 'cavage' | 'rfc9421'

/** The key that an actor publishes, and the URI under which others find it. */
export interface SigningKey {
  id: string
  /** RSA. */
  privateKey: KeyObject
}

export interface RequestToSign {
  method: string
  url: URL
  body?: Buffer
  /** What `digestOf(body)` answered, when it is known already. */
  digest?: string
  /** Milliseconds since the epoch. */
  now: number
  scheme: SignatureScheme
  /** What else is sent. `content-type` is signed when it is here. */
  headers?: Readonly<Record<string, string>>
}

/** The SHA-256 digest of a body in base64, as `signRequest` takes it: made once, it serves any number of inboxes. */
export function digestOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('base64')
}

/**
 * The header fields that sign a request, to be added to it; `host` is signed as the URL has it. RSA runs in the
 * thread pool. A POST without body is signed as one with an empty body.
 */
export async function signRequest(key: SigningKey, request: RequestToSign): Promise<Record<string, string>> {
  const digest = digestFor(request)
  return request.scheme === 'cavage' ? signCavage(key, request, digest) : signMessage(key, request, digest)
}

function digestFor({ method, body, digest }: RequestToSign): string | null {
  if (digest !== undefined) return digest
  if (body !== undefined) return digestOf(body)
  return ['GET', 'HEAD'].includes(method) ? null : digestOf(Buffer.alloc(0))
}

/** draft-cavage-http-signatures-12, section 2.3. */
async function signCavage(key: SigningKey, request: RequestToSign, digest: string | null) {
  const { method, url, now } = request
  const added = {
    date: new Date(now).toUTCString(),
    ...(digest !== null && { digest: `SHA-256=${digest}` }),
  }
  const contentType = digest === null ? null : contentTypeOf(request)
  const parts = {
    '(request-target)': `${method.toLowerCase()} ${url.pathname}${url.search}`,
    host: url.host,
    ...added,
    ...(contentType !== null && { 'content-type': contentType }),
  }
  const text = Object.entries(parts).map(([name, value]) => `${name}: ${value}`)
  const signature = await signText(key.privateKey, text.join('\n'))
  const names = Object.keys(parts).join(' ')
  return {
    ...added,
    signature: `keyId="${key.id}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`,
  }
}

/** RFC 9421, section 3.1. */
async function signMessage(key: SigningKey, { method, url, now }: RequestToSign, digest: string | null) {
  const added: Record<string, string> = digest === null ? {} : { 'content-digest': `sha-256=:${digest}:` }
  const target = new URL(url)
  target.hash = ''
  const components = { '@method': method, '@target-uri': target.href, '@authority': url.host, ...added }
  const names = Object.keys(components).map((name) => `"${name}"`)
  const parameters = `(${names.join(' ')});created=${Math.floor(now / 1000)};keyid=${quote(key.id)};alg="rsa-v1_5-sha256"`
  const text = Object.entries({ ...components, '@signature-params': parameters })
  const base = text.map(([name, value]) => `"${name}": ${value}`).join('\n')
  const signature = await signText(key.privateKey, base)
  return { ...added, 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signature}:` }
}

function contentTypeOf({ headers = {} }: RequestToSign): string | null {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null
}

/** A string as structured fields have it (RFC 8941, section 4.1.6). */
const quote = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

function signText(privateKey: KeyObject, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text, 'latin1'), privateKey, (error, signature) =>
      error ? reject(error) : resolve(signature.toString('base64')),
    )
  })
}
