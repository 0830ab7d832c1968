// Checks signatures of requests that the server under test makes, as strictly as other servers do.
import { createHash, verify as verifyBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Json } from '#test/client/client.ts'
import type { Scheme } from './sign.ts'

/** A request as a peer got it. */
export interface Arrived {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Signed {
  readonly scheme: Scheme
  readonly keyId: string
  /** The id of the actor to whom the key belongs. */
  readonly signer: string
  /** Headers or components that the signature covers. */
  readonly covered: readonly string[]
}

export type SpamDecision = { signed: Signed; problem: null } | { signed: null; problem: string }

export interface Verifying {
  /** Of this peer, such as `http://127.0.0.2:4000`. */
  baseUrl: string
  now: number
  /** The document that a key id leads to. Rejects when there is none. `anew`: not what was fetched before. */
  fetchKey(keyId: string, anew: boolean): Promise<Json>
}

interface Claim {
  scheme: Scheme
  keyId: string
  covered: string[]
  text: string
  signature: Buffer
  /** Milliseconds since the epoch. */
  made: number
}

/** The longest that a signature may be old, or ahead, in milliseconds. */
const oldest = 12 * 3_600_000
const ahead = 3_600_000

export async function verifyRequest(request: Arrived, context: Verifying): Promise<SpamDecision> {
  try {
    const claim = request.headers['signature-input']
      ? readRfc9421(request, context.baseUrl)
      : readCavage(request)
    assertTime(claim.made, context.now)
    const signer = await findSigner(claim, context)
    const { scheme, keyId, covered } = claim
    return { signed: { scheme, keyId, signer, covered }, problem: null }
  } catch (error) {
    return { signed: null, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** A key may have been changed since it was fetched: then it is fetched once more. */
async function findSigner(claim: Claim, { fetchKey }: Verifying): Promise<string> {
  for (const anew of [false, true]) {
    const { owner, publicKeyPem } = ownKey(await fetchKey(claim.keyId, anew), claim.keyId)
    if (verifyBytes('RSA-SHA256', Buffer.from(claim.text), publicKeyPem, claim.signature)) return owner
  }
  throw new Error(`the signature is not one of the key ${claim.keyId} over:\n${claim.text}`)
}

/** Reads an actor document: it has to say itself that the key is its own. */
function ownKey(actor: Json, keyId: string): { owner: string; publicKeyPem: string } {
  const key = [actor?.publicKey ?? []].flat().find((one: Json) => one?.id === keyId)
  if (!key) throw new Error(`${keyId} is no key of ${actor?.id}`)
  if (key.owner !== actor.id) throw new Error(`${keyId} says it belongs to ${key.owner}, not to ${actor.id}`)
  return { owner: actor.id, publicKeyPem: key.publicKeyPem }
}

function readCavage(request: Arrived): Claim {
  const header = oneHeader(request, 'signature')
  const params = new Map([...header.matchAll(/(\w+)="?([^",]*)"?/g)].map(([, name, value]) => [name, value]))
  const covered = (params.get('headers') ?? 'date').split(' ')
  assertCovered(covered, ['(request-target)', 'host', 'date', ...(hasBody(request) ? ['digest'] : [])])
  if (hasBody(request)) assertEqual(oneHeader(request, 'digest'), `SHA-256=${hashOf(request.body)}`, 'digest')
  const lines = covered.map((name) =>
    name === '(request-target)'
      ? `${name}: ${request.method.toLowerCase()} ${request.path}`
      : `${name}: ${oneHeader(request, name)}`,
  )
  return {
    scheme: 'cavage',
    keyId: params.get('keyId') ?? '',
    covered,
    text: lines.join('\n'),
    signature: Buffer.from(params.get('signature') ?? '', 'base64'),
    made: Date.parse(oneHeader(request, 'date')),
  }
}

function readRfc9421(request: Arrived, baseUrl: string): Claim {
  const input = /^(\w+)=(\(([^)]*)\)(.*))$/.exec(oneHeader(request, 'signature-input'))
  if (!input) throw new Error('Signature-Input cannot be read')
  const [, label, params = '', list = '', rest = ''] = input
  const covered = [...list.matchAll(/"([^"]+)"/g)].map((match) => match[1] as string)
  assertCovered(covered, ['@method', '@target-uri', ...(hasBody(request) ? ['content-digest'] : [])])
  if (hasBody(request))
    assertEqual(oneHeader(request, 'content-digest'), `sha-256=:${hashOf(request.body)}:`, 'content-digest')
  const derived: Record<string, string> = {
    '@method': request.method,
    '@target-uri': `${baseUrl}${request.path}`,
    '@authority': new URL(baseUrl).host,
    '@path': request.path.split('?')[0] ?? '',
  }
  const lines = covered.map((name) => `"${name}": ${derived[name] ?? oneHeader(request, name)}`)
  const signature = new RegExp(`(?:^|, *)${label}=:([^:]*):`).exec(oneHeader(request, 'signature'))?.[1] ?? ''
  return {
    scheme: 'rfc9421',
    keyId: /;keyid="([^"]*)"/.exec(rest)?.[1] ?? '',
    covered,
    text: [...lines, `"@signature-params": ${params}`].join('\n'),
    signature: Buffer.from(signature, 'base64'),
    made: Number(/;created=(\d+)/.exec(rest)?.[1]) * 1000,
  }
}

const hasBody = (request: Arrived) => request.method === 'POST'
const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('base64')

function oneHeader({ headers }: Arrived, name: string): string {
  const value = headers[name]
  if (typeof value !== 'string') throw new Error(`there is no ${name} header`)
  return value
}

function assertCovered(covered: readonly string[], needed: readonly string[]): void {
  const missing = needed.filter((name) => !covered.includes(name))
  if (missing.length > 0) throw new Error(`the signature does not cover ${missing.join(', ')}`)
}

function assertEqual(got: string, wanted: string, name: string): void {
  if (got !== wanted) throw new Error(`the ${name} is ${got}, but that of the body is ${wanted}`)
}

function assertTime(made: number, now: number): void {
  if (!(made > now - oldest && made < now + ahead)) throw new Error(`the signature is of ${made}, not of now`)
}
