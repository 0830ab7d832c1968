import type { EnvReader } from '#config/env.ts'
import type { OutgoingProxy } from '#lib/net/outgoing-proxy.ts'

const allowed =
  'a list of SUFFIX=URL, such as .onion=socks5://127.0.0.1:9050,.i2p=http://127.0.0.1:4444, with *=URL for all hosts, and direct for a URL where there is no proxy'

/** Reads OUTGOING_PROXY. A URL alone is for all hosts. */
export function readOutgoingProxies(reader: EnvReader): OutgoingProxy[] {
  return reader.list('OUTGOING_PROXY', parseProxy, allowed) ?? []
}

function parseProxy(entry: string): OutgoingProxy | null {
  const [, given = '*', target = ''] = /^(?:([^=/]+)=)?(.+)$/.exec(entry) ?? []
  const suffix = given === '*' ? '' : given.toLowerCase()
  if (suffix !== '' && !/^\.?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(suffix)) return null
  if (target === 'direct') return { suffix, url: null }
  const url = URL.parse(target)
  const isProxy = url !== null && ['http:', 'https:', 'socks5:'].includes(url.protocol)
  const isBare = isProxy && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
  return isBare && url.hostname !== '' ? { suffix, url: url.href } : null
}
