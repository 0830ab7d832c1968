// Signatures of draft-cavage-http-signatures-12, as far as the fediverse uses them.

import {
  checkAge,
  checkDigest,
  checkKeyId,
  decodeBase64,
  digestHeader,
  forbidDoubles,
  hasContent,
  parseSeconds,
  refuse,
  requireCovered,
  type FoundSignature,
  type ReceivedRequest,
} from './received-request.ts'

type Parameters = ReadonlyMap<string, string>

/** Throws a Refusal. */
export function readCavage(request: ReceivedRequest, now: number): FoundSignature {
  const parameters = parseParameters(request.headers.get('signature') ?? '')
  const keyId = checkKeyId(parameters.get('keyId') ?? '')
  const signature = decodeBase64(parameters.get('signature') ?? '')
  const algorithm = parameters.get('algorithm') ?? 'hs2019'
  if (algorithm !== 'rsa-sha256' && algorithm !== 'hs2019') {
    refuse('The algorithm of the signature is neither rsa-sha256 nor hs2019')
  }
  const covered = (parameters.get('headers') ?? '(created)').split(' ')
  checkCovered(request, covered, algorithm)
  const created = checkTimes(request, { parameters, covered, now })
  if (covered.includes('digest')) checkDigest(request, digestHeader)
  const text = textOf(request, parameters, covered)
  return { scheme: 'cavage', keyId, algorithm, created, signature, text }
}

/** Section 2.1, and what an earlier draft had. */
const known = ['keyId', 'signature', 'algorithm', 'headers', 'created', 'expires', 'opaque']

/** One parameter at a time, so that nothing can stand between them. */
const parameter = /([A-Za-z]+)[ \t]*=[ \t]*(?:"([^"\\]*)"|(\d+))[ \t]*(?:,[ \t]*(?=[A-Za-z])|$)/y

function parseParameters(header: string): Parameters {
  const found: [string, string][] = []
  parameter.lastIndex = 0
  while (parameter.lastIndex < header.length) {
    const [, name, quoted, number] = parameter.exec(header) ?? refuse('The signature header is malformed')
    found.push([String(name), quoted ?? number ?? ''])
  }
  const names = found.map(([name]) => name)
  forbidDoubles(names, 'The signature header')
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) refuse(`The signature header has an unknown ${unknown}`)
  return new Map(found)
}

const pseudo = ['(request-target)', '(created)', '(expires)']

function checkCovered(request: ReceivedRequest, covered: readonly string[], algorithm: string): void {
  forbidDoubles(covered, 'The list of signed headers')
  const timed = covered.includes('(created)') ? '(created)' : 'date'
  requireCovered(covered, ['(request-target)', 'host', timed, ...(hasContent(request) ? ['digest'] : [])])
  for (const name of covered) {
    if (!pseudo.includes(name) && !isHeader(request, name))
      refuse('The signature covers a header that is not there')
    if (['(created)', '(expires)'].includes(name) && algorithm !== 'hs2019') {
      refuse(`The ${name} can be signed with hs2019 only`)
    }
  }
}

/** `has` throws for what can be no name. */
const isHeader = ({ headers }: ReceivedRequest, name: string) =>
  /^[a-z0-9_-]+$/.test(name) && headers.has(name)

/** Of the times that are stated only those count that are signed, and each of them. */
function checkTimes(
  { headers }: ReceivedRequest,
  { parameters, covered, now }: { parameters: Parameters; covered: readonly string[]; now: number },
): Date {
  const seconds = (name: string) =>
    covered.includes(`(${name})`) ? parseSeconds(parameters.get(name) ?? '', name) : null
  const created = seconds('created')
  const expires = seconds('expires')
  const date = covered.includes('date') ? parseDate(headers.get('date') ?? '') : null
  const times = [created, date].filter((time) => time !== null)
  for (const time of times) checkAge(time, expires, now)
  return new Date(times[0] ?? refuse('The signature covers no time'))
}

/** The one form of a date that may be sent (RFC 9110, section 5.6.7). */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

function parseDate(text: string): number {
  const time = httpDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? refuse('The date header is no HTTP date') : time
}

/**
 * Section 2.3: a line for each covered part. The target has its query, also where servers leave it out of what they
 * sign: else whoever saw one signed request could ask for everything else at that path.
 */
function textOf(
  { method, target, headers }: ReceivedRequest,
  parameters: Parameters,
  covered: readonly string[],
): string {
  const valueOf = (name: string) => {
    if (name === '(request-target)') return `${method.toLowerCase()} ${target}`
    return pseudo.includes(name) ? parameters.get(name.slice(1, -1)) : headers.get(name)
  }
  return covered.map((name) => `${name}: ${valueOf(name)}`).join('\n')
}
