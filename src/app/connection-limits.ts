// How many connections there may be: of one address, and of all, so that files, the database and requests to others
// still find a descriptor when connections do not.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Cidr } from '#lib/net/cidr.ts'
import type { Log } from '#ports/log.ts'
import { addressBlock, cidrContains, normaliseAddress } from '#lib/net/cidr.ts'
import { countDescriptors, descriptorLimit } from './descriptors.ts'
import { createThrottledLog, type ThrottledLog } from './log/throttled-log.ts'

export interface ConnectionLimits {
  /** Of one address, IPv6 by its /64; null: any number. */
  perAddress: number | null
  /** Proxies bring the connections of everybody: they are not counted by address. */
  trusted: readonly Cidr[]
  /** Milliseconds between two looks at what is open. */
  check: number
}

/** Some forty people behind one router with six connections each, and their streams. */
export const usualPerAddress = 512
export const usualCheck = 1_000

/** Descriptors kept free for what is no connection: as many as fit with a small limit, enough with a large one. */
const maxKept = 1_024
/** What a process needs for itself before the first look. */
const usualOwn = 64
/** Below this share of the limit nothing needs to be looked at. */
const calm = 0.25

/** Enforces them from now on. What is refused is closed before it is read. */
export function limitConnections(server: Server, limits: ConnectionLimits, log: Log): void {
  const seldom = createThrottledLog(log)
  limitPerAddress(server, limits, seldom)
  limitAll(server, limits, seldom)
  // The system took a connection away again, or a port failed: neither ends the server.
  server.on('error', (error: NodeJS.ErrnoException) => {
    seldom.error({ error: error.message, code: error.code }, 'connections cannot be accepted')
  })
}

function limitPerAddress(server: Server, { perAddress, trusted }: ConnectionLimits, log: ThrottledLog): void {
  if (perAddress === null) return
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = normaliseAddress(socket.remoteAddress ?? '')
    if (trusted.some((range) => cidrContains(range, address))) return
    const key = addressBlock(address)
    const count = (open.get(key) ?? 0) + 1
    if (count > perAddress) {
      const hint = 'an address has too many connections; if it is a proxy, name it in TRUSTED_PROXY_IP'
      log.warn({ address: key, max: perAddress }, hint)
      socket.destroy()
      return
    }
    open.set(key, count)
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    })
  })
}

function limitAll(server: Server, { check }: ConnectionLimits, log: ThrottledLog): void {
  const limit = descriptorLimit()
  if (limit === null) return
  const kept = Math.min(maxKept, Math.floor(limit / 4))
  const room = (own: number) => Math.max(1, limit - kept - own)
  server.maxConnections = room(usualOwn)
  server.on('drop', () => {
    const fields = { limit, connections: server.maxConnections }
    log.error(fields, 'new connections are refused: raise the limit of open files (ulimit -n)')
  })
  const look = async () => {
    const connections = await new Promise<number>((resolve) => {
      server.getConnections((_, count) => resolve(count ?? 0))
    })
    if (connections < limit * calm) return
    const all = await countDescriptors()
    if (all !== null) server.maxConnections = room(Math.max(usualOwn, all - connections))
  }
  const timer = setInterval(() => void look(), check).unref()
  server.once('close', () => clearInterval(timer))
}
