// Which addresses a request may go to, and the connections there.

import { Agent } from 'undici'
import type { Config } from '#config/config.ts'
import { checkHttpUrl, checkOutgoingUrl, mayConnect } from '#lib/net/outgoing-url.ts'
import { RemoteError } from '#ports/http-client.ts'
import { createConnector, type ConnectorOptions } from './connector.ts'
import { createDnsResolve, resolveBySystem, type Resolve } from './resolve.ts'

/** More than the client sends requests at a time: bodies that are streamed to slow readers hold connections too. */
const connectionsPerHost = { strangers: 64, configured: 1024 }

export interface Target {
  /** Normalised. */
  url: URL
  /** Connects to no address that the target must not have. */
  agent: Agent
}

export interface Destinations {
  /**
   * Checks the URL of one hop. `first` is what the caller asked for; what a redirect of another origin leads to is
   * always a stranger's choice. Throws RemoteError `forbidden`.
   */
  check(url: string | URL, first: URL | null): Target
  close(): Promise<void>
}

export interface DestinationOptions {
  config: Config
  destinations: 'strangers' | 'configured'
  resolve?: Resolve
}

/** What a request may reach: addresses of the public internet, or also what the operator configured. */
export function createDestinations({ config, destinations, resolve }: DestinationOptions): Destinations {
  const strangers = createAgent(connectionsPerHost.strangers, {
    resolve: resolve ?? createDnsResolve(),
    mayConnect: (address) => mayConnect(config, address),
    proxies: config.outgoingProxies,
  })
  const configured = createAgent(connectionsPerHost.configured, {
    resolve: resolve ?? resolveBySystem,
    mayConnect: () => true,
  })
  return {
    check(text, first) {
      const trusted =
        destinations === 'configured' && (first === null || URL.parse(String(text))?.origin === first.origin)
      const { url, problem } = trusted ? checkHttpUrl(text) : checkOutgoingUrl(config, text)
      if (!url) throw new RemoteError('forbidden', `${shownHost(text)} must not be reached: ${problem}`)
      return { url, agent: trusted ? configured : strangers }
    },
    async close() {
      await Promise.all([strangers.destroy(), configured.destroy()])
    },
  }
}

function createAgent(connections: number, options: ConnectorOptions): Agent {
  return new Agent({
    connect: createConnector(options),
    connections,
    // Idle connections are kept for what comes right after, whatever the other side proposes.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
    maxOrigins: 4096,
    maxHeaderSize: 16_384,
    pipelining: 1,
    allowH2: false,
  })
}

/** Paths may be secret, such as those of push endpoints; the message is for the log. */
function shownHost(text: string | URL): string {
  return URL.parse(String(text))?.host ?? 'An address that cannot be read'
}
