// What the readers of both signature schemes share: the request, the outcome, and the checks that are the same.

import type { KeyObject } from 'node:crypto'
import { digestOf, type SignatureScheme } from './sign-request.ts'

/** A request from another server, as it arrived. */
export interface ReceivedRequest {
  method: string
  /** Path and query as they were received, not decoded: `/inbox?a=%20`. */
  target: string
  /** Our own host, with its port when that is not the default one. The `Host` header must be it. */
  host: string
  /** Our address as others write it: it decides the scheme and what a default port is. */
  baseUrl: string
  headers: Headers
  /**
   * Names and values in turn, as Node lists them: only here can be seen that a header came twice. Without it a
   * doubled header is noticed by what the joined values say.
   */
  rawHeaders?: readonly string[]
  body: Buffer | null
}

/** `of-key` when the request names none (RFC 9421, section 3.2): the type of the key decides. */
export type SignatureAlgorithm = 'rsa-sha256' | 'hs2019' | 'rsa-v1_5-sha256' | 'ed25519' | 'of-key'

/** A signature of which all holds that can be known without the key. */
export interface ReadSignature {
  scheme: SignatureScheme
  /** As the sender wrote it: nothing is known about where it leads. */
  keyId: string
  algorithm: SignatureAlgorithm
  /** When it was made, as far as the signature covers it: `created`, else `Date`. */
  created: Date | null
  /** Whether this key made it. False also when the algorithm that is named does not fit the key. */
  verify(publicKey: KeyObject): boolean
}

/** What the reader of one scheme finds. */
export interface FoundSignature extends Omit<ReadSignature, 'verify'> {
  signature: Buffer
  /** What has to have been signed. */
  text: string
}

/** Why a request counts as not signed, fit for the body of a 401. */
export interface SignatureProblem {
  problem: string
}

/** Ends the reading of a signature. Never leaves `readSignature`. */
export class Refusal extends Error {}

/** Throws a Refusal. */
export function refuse(problem: string): never {
  throw new Refusal(problem)
}

/** Throws a Refusal unless each of `parts` is among the covered ones. */
export function requireCovered(covered: readonly string[], parts: readonly string[]): void {
  const missing = parts.find((part) => !covered.includes(part))
  if (missing !== undefined) refuse(`The signature does not cover ${missing}`)
}

/** Throws a Refusal when a part is named twice: what is signed would not be certain. */
export function forbidDoubles(names: readonly string[], what: string): void {
  const double = names.find((name, index) => names.indexOf(name) !== index)
  if (double !== undefined) refuse(`${what} has ${double} twice`)
}

/** Whether the request has content that a signature must cover. */
export function hasContent({ method, body }: ReceivedRequest): boolean {
  return !['GET', 'HEAD'].includes(method) || (body !== null && body.length > 0)
}

/** How a header lists digests. `member`: one of them, its name and its value. `wrap` writes a value. */
export interface DigestHeader {
  header: string
  member: RegExp
  wrap(base64: string): string
}

/** RFC 3230: names in any case, and values of any form. */
export const digestHeader: DigestHeader = {
  header: 'digest',
  member: /^\s*([\w.*-]+)=(\S+)\s*$/,
  wrap: (base64) => base64,
}

/** RFC 9530: a dictionary of byte sequences, which is none at all when one member is malformed (RFC 8941, section 4.2). */
export const contentDigestHeader: DigestHeader = {
  header: 'content-digest',
  member:
    /^[ \t]*([a-z*][a-z0-9_.*-]*)=(:(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?:)[ \t]*$/,
  wrap: (base64) => `:${base64}:`,
}

/**
 * Throws a Refusal unless the list of digests in a header (`sha-256=…, …`) has that of the body by SHA-256. Others
 * are passed over.
 */
export function checkDigest(request: ReceivedRequest, { header, member, wrap }: DigestHeader): void {
  const list = request.headers.get(header)
  if (list === null) refuse(`There is no ${header} header`)
  const digests = list.split(',').map((written) => {
    const [, name, value] = member.exec(written) ?? refuse(`The ${header} header is malformed`)
    return { name: String(name).toLowerCase(), value }
  })
  const names = digests.map(({ name }) => name)
  forbidDoubles(names, `The ${header} header`)
  const sha256 = digests.find(({ name }) => name === 'sha-256')
  if (!sha256) refuse(`The ${header} header has no SHA-256 digest`)
  if (sha256.value !== wrap(digestOf(request.body ?? Buffer.alloc(0)))) {
    refuse(`The ${header} header is not that of the body`)
  }
}

const minute = 60_000
const hour = 60 * minute

/** How long a signature holds that does not say it itself. */
const usualLife = 5 * minute
const maxLife = 12 * hour
/** What clocks may differ by. */
const skew = hour

/**
 * Throws a Refusal when a signature of that time (milliseconds) is too old, or not yet made. Clocks may differ by an
 * hour, but after twelve hours nothing is accepted whatever it says of itself.
 */
export function checkAge(created: number, expires: number | null, now: number): void {
  if (created > now + skew) refuse('The signature is dated in the future')
  const end = Math.min((expires ?? created + usualLife) + skew, created + maxLife)
  if (now > end) refuse('The signature is too old')
}

/** Throws a Refusal unless this can be a key's name: an address, or `acct:` and a handle. */
export function checkKeyId(keyId: string): string {
  if (keyId === '') refuse('The signature names no key')
  if (keyId.length > 2048 || !/^[!-~]+$/.test(keyId)) refuse('The name of the key is malformed')
  return keyId
}

/** The bytes of a signature. Throws a Refusal for all spellings of them but one. */
export function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (text === '') refuse('The signature is empty')
  if (bytes.toString('base64') !== text) refuse('The signature is not base64')
  return bytes
}

/** Seconds since the epoch as a signature parameter has them, in milliseconds. Throws a Refusal. */
export function parseSeconds(text: string, name: string): number {
  if (!/^\d{1,11}$/.test(text)) refuse(`The ${name} of the signature is not a whole number of seconds`)
  return Number(text) * 1000
}

/** A host as it is compared: in lower case, without the dot that ends a name and without the scheme's own port. */
export function canonicalHost(host: string, baseUrl: string): string {
  const port = baseUrl.startsWith('https:') ? /:443$/ : /:80$/
  return host
    .toLowerCase()
    .replace(port, '')
    .replace(/\.(?=:\d+$|$)/, '')
}
