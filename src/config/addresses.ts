// Under which names the server is reached, and from where.

import { isIP } from 'node:net'
import { parseCidr, type Cidr } from '#lib/net/cidr.ts'
import { readOutgoingProxies } from '#config/outgoing-proxy.ts'
import type { EnvReader, VariableName } from '#config/env.ts'
import type { OutgoingProxy } from '#lib/net/outgoing-proxy.ts'

export interface AddressConfig {
  port: number
  bind: string
  /** The domain in handles: `example.org`, or `127.0.0.1:3000`. Lower case, punycode, no default port. */
  localDomain: string
  /** The host in URLs, with its port when that is not the default one. */
  webDomain: string
  /** Further domains that lead here: their handles and addresses mean those of this server. Spelt as `localDomain`. */
  alternateDomains: readonly string[]
  https: boolean
  /** `https://example.org`, without a trailing slash. */
  baseUrl: string
  /** `wss://example.org`, without a trailing slash. */
  streamingBaseUrl: string
  /** `https://…` base to which streaming requests on this host are redirected; null when they are served here. */
  streamingRedirect: string | null
  allowedPrivateAddresses: readonly Cidr[]
  trustedProxies: readonly Cidr[]
  /** Through which some other servers are reached. */
  outgoingProxies: readonly OutgoingProxy[]
}

const hostAllowed = 'a host name or address with an optional port, such as example.org or 127.0.0.1:3000'
const rangesAllowed = 'a list of addresses or CIDR ranges, such as 10.0.0.0/8,fd00::/8'
const loopback = ['127.0.0.0/8', '::1/128'].map((text) => parseCidr(text)!)

/** Reads the variables of this group. */
export function readAddresses(reader: EnvReader): AddressConfig {
  const port = reader.integer('PORT', { min: 1, max: 65_535, fallback: 3000 })
  const localHost = readHost(reader, 'LOCAL_DOMAIN') ?? { hostname: 'localhost', port: String(port) }
  const webHost = readHost(reader, 'WEB_DOMAIN') ?? localHost
  const https = reader.boolean('LOCAL_HTTPS', !isLocalName(localHost.hostname))
  const webDomain = formatHost(webHost, https)
  return {
    port,
    bind: readBind(reader),
    localDomain: formatHost(localHost, https),
    webDomain,
    alternateDomains: readAlternates(reader, https),
    https,
    baseUrl: `http${https ? 's' : ''}://${webDomain}`,
    ...readStreaming(reader, webDomain, https),
    allowedPrivateAddresses: reader.list('ALLOWED_PRIVATE_ADDRESSES', parseCidr, rangesAllowed) ?? [],
    trustedProxies: reader.list('TRUSTED_PROXY_IP', parseCidr, rangesAllowed) ?? loopback,
    outgoingProxies: readOutgoingProxies(reader),
  }
}

interface Host {
  hostname: string
  /** Digits, or '' for the default port. */
  port: string
}

const hostnamePattern = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/

/** Parses `host` or `host:port`; names become lower case and punycode. Null when it is anything else. */
function parseHost(text: string): Host | null {
  if (!/^[^\s/?#@\\]+$/.test(text)) return null
  const url = URL.parse(`http://${text}`)
  if (!url || (!hostnamePattern.test(url.hostname) && !url.hostname.startsWith('['))) return null
  if (url.hostname.length > 253) return null
  // The URL drops port 80, which is not the default one when it turns out that we serve https.
  const port = /:(\d+)$/.exec(text)?.[1]
  return { hostname: url.hostname, port: url.port || (port ? String(Number(port)) : '') }
}

function readHost(reader: EnvReader, name: VariableName): Host | null {
  const text = reader.text(name)
  if (text === null) return null
  const host = parseHost(text)
  if (!host) reader.refuse(name, hostAllowed)
  return host
}

function readAlternates(reader: EnvReader, https: boolean): string[] {
  const parse = (text: string) => {
    const host = parseHost(text)
    return host && formatHost(host, https)
  }
  return reader.list('ALTERNATE_DOMAINS', parse, 'a list of domains, such as old.example,example.net') ?? []
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}

function formatHost(host: Host, https: boolean): string {
  const isDefault = host.port === '' || host.port === (https ? '443' : '80')
  return isDefault ? host.hostname : `${host.hostname}:${host.port}`
}

function readBind(reader: EnvReader): string {
  const bind = reader.text('BIND') ?? '127.0.0.1'
  if (!isAddressOrHost(bind)) reader.refuse('BIND', 'an IP address or a host name')
  return bind
}

/** Whether a server can listen there, as far as its spelling tells. */
export function isAddressOrHost(text: string): boolean {
  return isIP(text) !== 0 || hostnamePattern.test(text)
}

function readStreaming(reader: EnvReader, webDomain: string, https: boolean) {
  const own = { streamingBaseUrl: `ws${https ? 's' : ''}://${webDomain}`, streamingRedirect: null }
  const url = reader.url('STREAMING_API_BASE_URL', ['wss', 'ws', 'https', 'http'])
  if (!url) return own
  const secure = url.protocol === 'wss:' || url.protocol === 'https:'
  const base = `${url.host}${url.pathname.replace(/\/+$/, '')}`
  // The main host named as the streaming host must not redirect to itself.
  const otherHost = base !== webDomain
  return {
    streamingBaseUrl: `ws${secure ? 's' : ''}://${base}`,
    streamingRedirect: otherHost ? `http${secure ? 's' : ''}://${base}` : null,
  }
}
