// Under which names requests are answered. A name that somebody else leads here (DNS rebinding, a proxy that passes on
// everything) gets no answer that its visitors or caches could take for its own.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Config } from '#config/config.ts'
import { ownDomains } from '#lib/net/own-domains.ts'
import { isProbe } from '#http/kit/probes.ts'
import { normalizePath } from '#lib/net/request-path.ts'
import { refuseUpgrade } from '#streaming/sockets.ts'
import type { ThrottledLog } from './log/throttled-log.ts'

/** `wrong`: for somebody else (421). `bad`: nobody can tell for whom (400). */
export type HostDecision = 'ours' | 'wrong' | 'bad'

export type HostCheck = (request: IncomingMessage) => HostDecision

/** Judges requests by their `Host` and by what an absolute target names. X-Forwarded-Host is nobody's word. */
export function createHostCheck(config: Config): HostCheck {
  const isOurs = createMatcher(config)
  return (request) => {
    const target = request.url ?? '/'
    // Balancers ask by whatever address they know; what is more than a sign of life wants a token.
    if (isProbe(normalizePath(pathOf(target)))) return 'ours'
    const host = singleHost(request)
    if (host === null) return 'bad'
    const named = [host, ...(target.startsWith('/') ? [] : [authorityOf(target)])]
    const read = named.map(hostnameOf)
    if (read.includes(null)) return 'bad'
    return read.every((one) => isOurs(one as string, request)) ? 'ours' : 'wrong'
  }
}

/** What its one `Host` says; null when there is none, or several, of which Node would show the first. */
function singleHost({ rawHeaders }: IncomingMessage): string | null {
  let host: string | null = null
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length !== 4 || rawHeaders[index]?.toLowerCase() !== 'host') continue
    if (host !== null) return null
    host = rawHeaders[index + 1] ?? ''
  }
  return host
}

const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i
const authorityOf = (target: string) => absolute.exec(target)?.[1] ?? ''
const pathOf = (target: string) => target.replace(absolute, '').replace(/[?#].*$/s, '')

/** What was read lately: the same few names over and over. */
const readBefore = new Map<string, string | null>()
const maxRead = 1_000

function hostnameOf(text: string): string | null {
  const known = readBefore.get(text)
  if (known !== undefined) return known
  const hostname = readHostname(text)
  if (readBefore.size >= maxRead) readBefore.clear()
  if (text.length <= 255) readBefore.set(text, hostname)
  return hostname
}

/** Lower case, punycode, without the dot that ends a name; IPv6 in brackets. Null for what names no host. */
function readHostname(text: string): string | null {
  if (text === '' || /[\s/?#@\\,]/.test(text)) return null
  return URL.parse(`http://${text}`)?.hostname.replace(/\.$/, '') ?? null
}

/**
 * Ours are the names that the operator has set, on whatever port: it may be mapped to another one on the way. Those of
 * the loopback are, too, where the name is such a one, and for who asks on this machine without a proxy.
 */
function createMatcher(config: Config) {
  const ours = new Set([...ownDomains(config), new URL(config.streamingBaseUrl).host].map(readHostname))
  const isLocal = [...ours].some((one) => one !== null && isLoopback(one))
  return (hostname: string, request: IncomingMessage): boolean =>
    ours.has(hostname) || (isLoopback(hostname) && (isLocal || isFromThisMachine(request)))
}

function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  const isProxied = Object.keys(headers).some(
    (name) => name === 'forwarded' || name.startsWith('x-forwarded-'),
  )
  return !isProxied && isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))
}

function isLoopback(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return hostname === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}

type Refused = Exclude<HostDecision, 'ours'>

const answers: Record<Refused, { status: number; error: string }> = {
  wrong: { status: 421, error: 'This server does not answer for this host' },
  bad: { status: 400, error: 'The request does not name one host' },
}

/** Answers what is not for us (RFC 9110 section 15.5.20), and lets the operator know now and then. */
export function createRefusals(log: ThrottledLog) {
  function tell({ headers }: IncomingMessage): void {
    const hint =
      'a request for another host is refused: a proxy has to pass Host on, and LOCAL_DOMAIN to name it'
    log.warn({ host: headers.host?.slice(0, 255) }, hint)
  }
  return {
    request(request: IncomingMessage, response: ServerResponse, decision: Refused): void {
      tell(request)
      const { status, error } = answers[decision]
      const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
      response.writeHead(status, headers).end(JSON.stringify({ error }))
    },
    upgrade(request: IncomingMessage, socket: Duplex, decision: Refused): void {
      tell(request)
      refuseUpgrade(socket, answers[decision])
    },
  }
}
