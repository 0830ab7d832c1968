// Which URLs of strangers this server may send requests to, as far as it shows before any name is resolved.

import { isIP } from 'node:net'
import { cidrContains, type Cidr } from './cidr.ts'
import { findProxy, isOverlayName, type OutgoingProxy } from './outgoing-proxy.ts'
import { ownDomains, type OwnNames } from './own-domains.ts'
import { isPublicAddress } from './special-addresses.ts'

/** The part of the configuration that decides. */
export interface OutgoingRules extends OwnNames {
  /** Whether this server itself is reached by https; then others must be too. */
  https: boolean
  allowedPrivateAddresses: readonly Cidr[]
  /** Networks of their own encrypt by themselves, and seldom have certificates. */
  outgoingProxies?: readonly OutgoingProxy[]
}

export type UrlProblem = 'malformed' | 'scheme' | 'user-info' | 'own-host' | 'private-address'

export type CheckedUrl = { url: URL; problem: null } | { url: null; problem: UrlProblem }

/**
 * Checks a URL that a stranger chose, when it is stored for later use and before each request to it. The URL that
 * comes back is normalised: numeric spellings of addresses are dotted, the dot that ends a name and the fragment are
 * gone. A name may still resolve to a private address: the HTTP client looks again when it connects.
 */
export function checkOutgoingUrl(rules: OutgoingRules, text: string | URL): CheckedUrl {
  const checked = checkHttpUrl(text)
  if (!checked.url) return checked
  const { url } = checked
  if (url.protocol !== schemeFor(rules, url.hostname) && url.protocol !== 'https:') return refused('scheme')
  if (isOwnHost(rules, url)) return refused('own-host')
  const address = literalAddress(url.hostname)
  if (address !== null && !mayConnect(rules, address)) return refused('private-address')
  return checked
}

/** Returns the scheme by which another server is first asked for, with its colon. */
export function schemeFor(
  { https, outgoingProxies = [] }: Pick<OutgoingRules, 'https' | 'outgoingProxies'>,
  hostname: string,
): 'http:' | 'https:' {
  const isOverlay = isOverlayName(hostname) && findProxy(outgoingProxies, hostname) !== null
  return https && !isOverlay ? 'https:' : 'http:'
}

/** As `checkOutgoingUrl`, for addresses that the operator configured: they may be private, ours, or without TLS. */
export function checkHttpUrl(text: string | URL): CheckedUrl {
  const url = URL.parse(String(text))
  if (!url) return refused('malformed')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('scheme')
  if (url.username !== '' || url.password !== '') return refused('user-info')
  if (/^\.|\.\.|^$/.test(url.hostname)) return refused('malformed')
  url.hostname = url.hostname.replace(/\.$/, '')
  url.hash = ''
  return { url, problem: null }
}

/** Whether a connection to this IP address is allowed: it is public, or the operator listed it. */
export function mayConnect(rules: Pick<OutgoingRules, 'allowedPrivateAddresses'>, address: string): boolean {
  return (
    isPublicAddress(address) || rules.allowedPrivateAddresses.some((range) => cidrContains(range, address))
  )
}

/** The IP address that the host of a URL is, without the brackets of IPv6; null for a name. */
function addressOfHost(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? null : bare
}

/** RFC 6761, section 6.3: names under localhost are the loopback address wherever they are resolved. */
function literalAddress(hostname: string): string | null {
  return /(?:^|\.)localhost$/.test(hostname) ? '127.0.0.1' : addressOfHost(hostname)
}

/**
 * With our own default port the whole host is ours. With another port we share the host with its neighbours, and
 * only that port is ours.
 */
function isOwnHost(rules: OutgoingRules, url: URL): boolean {
  return ownDomains(rules).some((domain) => {
    const own = URL.parse(`http${rules.https ? 's' : ''}://${domain}`)
    if (!own || own.hostname !== url.hostname) return false
    return own.port === '' || own.port === url.port
  })
}

const refused = (problem: UrlProblem): CheckedUrl => ({ url: null, problem })
