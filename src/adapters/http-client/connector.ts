// Opens connections, and only to addresses that were checked.

import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { buildConnector } from 'undici'
import { RemoteError } from '#ports/http-client.ts'
import type { Resolve } from './resolve.ts'

export interface ConnectorOptions {
  resolve: Resolve
  mayConnect: (address: string) => boolean
}

/**
 * A name is resolved once per connection, its forbidden addresses are dropped, and the connection is made to one of
 * those left: there is no second look-up that could answer differently. Fails with RemoteError `forbidden` when
 * none is left.
 */
export function createConnector({ resolve, mayConnect }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: 10_000,
    lookup: checkedLookup({ resolve, mayConnect }),
    autoSelectFamily: true,
    // Node's 250 ms would give up on hosts that are merely far away.
    autoSelectFamilyAttemptTimeout: 2000,
  })
  return (target, callback) => {
    // Nothing is looked up for a host that is an address already.
    if (isIP(target.hostname) !== 0 && !mayConnect(target.hostname)) {
      queueMicrotask(() => callback(forbidden(target.hostname, [target.hostname]), null))
      return
    }
    connect(target, callback)
  }
}

function checkedLookup({ resolve, mayConnect }: ConnectorOptions): LookupFunction {
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
