// HTTP message signatures (RFC 9421): exactly one, over plain components.

import {
  canonicalHost,
  checkAge,
  checkDigest,
  checkKeyId,
  contentDigestHeader,
  decodeBase64,
  forbidDoubles,
  hasContent,
  parseSeconds,
  refuse,
  requireCovered,
  type FoundSignature,
  type ReceivedRequest,
} from './received-request.ts'

/** Throws a Refusal. */
export function readMessageSignature(request: ReceivedRequest, now: number): FoundSignature {
  const { label, components, stated, parameters } = parseInput(request.headers.get('signature-input') ?? '')
  const signature = parseSignature(request.headers.get('signature') ?? '', label)
  forbidDoubles(components, 'The list of signed components')
  requireCovered(components, ['@method', '@target-uri', ...(hasContent(request) ? ['content-digest'] : [])])
  const keyId = checkKeyId(unquote(parameters.get('keyid') ?? '""', 'keyid'))
  const algorithm = algorithmOf(parameters)
  const created = parseSeconds(parameters.get('created') ?? refuse('The signature has no created'), 'created')
  const expires = parameters.get('expires')
  checkAge(created, expires === undefined ? null : parseSeconds(expires, 'expires'), now)
  const lines = components.map((name) => `"${name}": ${valueOf(request, name)}`)
  if (components.includes('content-digest')) checkDigest(request, contentDigestHeader)
  return {
    scheme: 'rfc9421',
    keyId,
    algorithm,
    created: new Date(created),
    signature,
    text: [...lines, `"@signature-params": ${stated}`].join('\n'),
  }
}

// Of structured fields (RFC 8941) only what is used here, in its canonical spelling: so the text that was sent is the
// text that was signed.
const key = String.raw`[a-z*][a-z0-9_.*-]*`
const text = String.raw`"(?:[ !#-\[\]-~]|\\["\\])*"`
const name = String.raw`"@?[a-z0-9_-]+"`
const value = String.raw`=(${text}|\d{1,15}|[A-Za-z*][\w.*/:-]*)`
const inputForm = new RegExp(String.raw`^(${key})=(\(((?:${name}(?: ${name})*)?)\)((?:;${key}${value})*))$`)
const parameterForm = new RegExp(`;(${key})${value}`, 'g')

function parseInput(header: string) {
  const [, label = '', stated = '', names = '', rest = ''] =
    inputForm.exec(header) ??
    refuse('The signature-input header is not that of one signature over plain components')
  const parameters = [...rest.matchAll(parameterForm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
  const parameterNames = parameters.map(([name]) => name)
  forbidDoubles(parameterNames, 'The signature-input header')
  const components = names === '' ? [] : names.split(' ').map((quoted) => quoted.slice(1, -1))
  return { label, stated, components, parameters: new Map(parameters) }
}

function parseSignature(header: string, label: string): Buffer {
  const [, found, base64 = ''] =
    /^([^=,]+)=:([A-Za-z0-9+/]*={0,2}):$/.exec(header) ??
    refuse('The signature header is not that of one signature')
  if (found !== label) refuse('The signature and signature-input headers have different labels')
  return decodeBase64(base64)
}

function unquote(text: string, name: string): string {
  if (!text.startsWith('"')) refuse(`The ${name} of the signature is not a string`)
  return text.slice(1, -1).replaceAll(/\\(.)/g, '$1')
}

function algorithmOf(parameters: ReadonlyMap<string, string>) {
  const stated = parameters.get('alg')
  if (stated === undefined) return 'of-key'
  const algorithm = unquote(stated, 'alg')
  if (algorithm === 'rsa-v1_5-sha256' || algorithm === 'ed25519') return algorithm
  return refuse('The algorithm of the signature is neither rsa-v1_5-sha256 nor ed25519')
}

/** Section 2.2 for what is derived from the request. */
function valueOf({ method, target, host, baseUrl, headers }: ReceivedRequest, component: string): string {
  const [, path = '', query = ''] = /^([^?]*)(.*)$/.exec(target) ?? []
  const authority = canonicalHost(host, baseUrl)
  const scheme = baseUrl.startsWith('https:') ? 'https' : 'http'
  switch (component) {
    case '@method':
      return method
    case '@target-uri':
      return `${scheme}://${authority}${target}`
    case '@authority':
      return authority
    case '@scheme':
      return scheme
    case '@request-target':
      return target
    case '@path':
      return path
    case '@query':
      return query === '' ? '?' : query
    default:
      if (component.startsWith('@')) return refuse(`The component ${component} is not supported`)
      return headers.get(component) ?? refuse('The signature covers a header that is not there')
  }
}
