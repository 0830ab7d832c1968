// Opens connections, and only to addresses that were checked.

import { isIP, type LookupFunction, type Socket } from 'node:net'
import { callbackify } from 'node:util'
import { buildConnector } from 'undici'
import { findProxy, isOverlayName, type OutgoingProxy } from '#lib/net/outgoing-proxy.ts'
import { RemoteError } from '#ports/http-client.ts'
import type { Resolve } from './resolve.ts'
import { openTunnel } from './tunnel.ts'

export interface ConnectorOptions {
  resolve: Resolve
  mayConnect: (address: string) => boolean
  /** Through which some hosts are reached. */
  proxies?: readonly OutgoingProxy[]
}

/**
 * A name is resolved once per connection, its forbidden addresses are dropped, and the connection is made to one of
 * those left: there is no second look-up that could answer differently. Fails with RemoteError `forbidden` when
 * none is left.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { resolve, mayConnect, proxies = [] } = options
  const connect = buildConnector({
    allowH2: false,
    timeout: 10_000,
    lookup: checkedLookup({ resolve, mayConnect }),
    autoSelectFamily: true,
    // Node's 250 ms would give up on hosts that are merely far away.
    autoSelectFamilyAttemptTimeout: 2000,
  })
  return (target, callback) => {
    const proxy = findProxy(proxies, target.hostname)
    if (proxy !== null) {
      tunnel(options, proxy, target, (error, socket) => {
        if (error) callback(error, null)
        else if (target.protocol === 'https:') connect({ ...target, httpSocket: socket }, callback)
        else callback(null, socket)
      })
      return
    }
    if (isOverlayName(target.hostname)) {
      queueMicrotask(() => callback(withoutProxy(target.hostname), null))
      return
    }
    // Nothing is looked up for a host that is an address already.
    if (isIP(target.hostname) !== 0 && !mayConnect(target.hostname)) {
      queueMicrotask(() => callback(forbidden(target.hostname, [target.hostname]), null))
      return
    }
    connect(target, callback)
  }
}

/**
 * A tunnel to a host. What the domain name system knows is looked up and checked here, and the proxy is told the address: it
 * could find another one than was checked. Only names that nobody else knows go to the proxy as they are.
 */
async function openThrough(
  options: ConnectorOptions,
  proxy: string,
  { hostname, port, protocol }: buildConnector.Options,
): Promise<Socket> {
  const host = isOverlayName(hostname) ? hostname : await findAllowed(options, hostname)
  const socket = await openTunnel(proxy, {
    host,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  })
  return socket.setNoDelay(true)
}

async function findAllowed({ resolve, mayConnect }: ConnectorOptions, hostname: string): Promise<string> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  const all = isIP(bare) === 0 ? await resolve(hostname) : [bare]
  const allowed = all.filter((address) => isIP(address) !== 0 && mayConnect(address))
  // Proxies reach IPv4 more surely than IPv6.
  const found = allowed.find((address) => isIP(address) === 4) ?? allowed[0]
  if (found === undefined) throw forbidden(hostname, all)
  return found
}

const tunnel = callbackify(openThrough)

function withoutProxy(hostname: string): RemoteError {
  return new RemoteError(
    'unreachable',
    `${hostname} can be reached through a proxy alone: see OUTGOING_PROXY`,
  )
}

function checkedLookup({
  resolve,
  mayConnect,
}: Pick<ConnectorOptions, 'resolve' | 'mayConnect'>): LookupFunction {
  const find = callbackify(async (hostname: string) => {
    const all = await resolve(hostname)
    const allowed = all.filter((address) => isIP(address) !== 0 && mayConnect(address))
    if (allowed.length === 0) throw forbidden(hostname, all)
    return allowed.map((address) => ({ address, family: isIP(address) }))
  })
  return (hostname, options, callback) => {
    find(hostname, (error, found) => {
      if (error) callback(error, '')
      else if (options.all) callback(null, found)
      else callback(null, found[0]!.address, found[0]!.family)
    })
  }
}

function forbidden(hostname: string, addresses: readonly string[]): RemoteError {
  return new RemoteError('forbidden', `${hostname} is at ${addresses.join(', ')}, which must not be reached`)
}
