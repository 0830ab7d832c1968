// IP addresses and ranges: trusted proxies, allowed private addresses, keys of rate limits.

import { isIP, isIPv4 } from 'node:net'

/** A range of addresses; `bytes` has 4 or 16 entries, those beyond `prefix` bits are zero. */
export interface Cidr {
  readonly bytes: readonly number[]
  readonly prefix: number
}

const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/**
 * Parses `10.0.0.0/8`, `fd00::/8` or a single address. IPv4-mapped IPv6 becomes IPv4. Bits beyond the prefix are
 * dropped, so `10.1.2.3/8` is `10.0.0.0/8`. Null when it is neither.
 */
export function parseCidr(text: string): Cidr | null {
  const [address = '', length, ...rest] = text.trim().split('/')
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return null
  const written = expand(address)
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return null
  const writtenPrefix = length === undefined ? written.length * 8 : Number(length)
  if (writtenPrefix > written.length * 8) return null
  // A range wider than ::ffff:0:0/96 holds more than IPv4, so it stays IPv6.
  const mapped = isMapped(written) && writtenPrefix >= 96
  const bytes = mapped ? written.slice(12) : written
  const prefix = mapped ? writtenPrefix - 96 : writtenPrefix
  return { bytes: bytes.map((byte, index) => byte & byteMask(prefix, index)), prefix }
}

/** Writes a range so that parseCidr reads it back. */
export function formatCidr(cidr: Cidr): string {
  return `${formatBytes(cidr.bytes)}/${cidr.prefix}`
}

/** Whether the range holds the address. False when `address` is no IP address or of the other family. */
export function cidrContains(cidr: Cidr, address: string): boolean {
  const bytes = addressBytes(address)
  if (!bytes || bytes.length !== cidr.bytes.length) return false
  return cidr.bytes.every((byte, index) => ((bytes[index]! ^ byte) & byteMask(cidr.prefix, index)) === 0)
}

/**
 * One spelling per address: IPv4-mapped IPv6 becomes IPv4, IPv6 is lower case, compressed and without a zone
 * (RFC 5952). What is no address is returned trimmed.
 */
export function normaliseAddress(ip: string): string {
  // Most are, and have one spelling only.
  if (isIPv4(ip)) return ip
  const bytes = addressBytes(ip)
  return bytes ? formatBytes(bytes) : ip.trim()
}

/**
 * The key that limits count by: an IPv4 address itself, and for IPv6 its /64 (`2001:db8:1:2::/64`), because a
 * household or one rented machine owns a whole /64.
 */
export function addressBlock(ip: string): string {
  if (isIPv4(ip)) return ip
  const bytes = addressBytes(ip)
  if (!bytes) return ip.trim()
  if (bytes.length === 4) return formatBytes(bytes)
  return `${formatBytes(bytes.map((byte, index) => (index < 8 ? byte : 0)))}/64`
}

/**
 * Roughly the provider that an address belongs to: the first 16 bits of IPv4, 32 of IPv6. Coarse on purpose, because
 * homes and phones get other addresses of the same provider every day. What is no address is returned trimmed.
 */
export function addressNetwork(ip: string): string {
  const bytes = addressBytes(ip)
  if (!bytes) return ip.trim()
  const prefix = bytes.length === 4 ? 16 : 32
  return formatCidr({ bytes: bytes.map((byte, index) => byte & byteMask(prefix, index)), prefix })
}

export interface Peer {
  /** Who opened the connection. */
  remoteAddress: string
  /** The X-Forwarded-For header; several headers joined by commas. */
  forwardedFor: string | null | undefined
  trusted: readonly Cidr[]
}

/**
 * The caller's address: the peer itself, or, when the peer is a trusted proxy, the right-most entry of
 * X-Forwarded-For that is not a trusted proxy too. Entries left of it are the caller's invention and are ignored, and
 * so is everything from an entry on that is no address. When all are trusted, the left-most one.
 */
export function clientAddress({ remoteAddress, forwardedFor, trusted }: Peer): string {
  let client = normaliseAddress(remoteAddress)
  if (!forwardedFor) return client
  const hops = forwardedFor.split(',')
  while (hops.length > 0 && trusted.some((range) => cidrContains(range, client))) {
    const hop = stripPort(hops.pop()!.trim())
    if (isIP(hop) === 0) break
    client = normaliseAddress(hop)
  }
  return client
}

/** Some proxies write `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function stripPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)
  if (bracketed) return bracketed[1]!
  const withPort = /^([^:]+):\d+$/.exec(hop)
  return withPort ? withPort[1]! : hop
}

/** The bytes of an address, 4 for IPv4 and for IPv4-mapped IPv6; null when it is no address. */
function addressBytes(address: string): number[] | null {
  const bare = address.trim().replace(/%.*$/, '')
  if (isIP(bare) === 0) return null
  const bytes = expand(bare)
  return isMapped(bytes) ? bytes.slice(12) : bytes
}

/** Expects a valid address. */
function expand(address: string): number[] {
  if (isIPv4(address)) return address.split('.').map(Number)
  const [head = '', tail] = address.split('::')
  const before = groupBytes(head)
  if (tail === undefined) return before
  const after = groupBytes(tail)
  return [...before, ...Array<number>(16 - before.length - after.length).fill(0), ...after]
}

function groupBytes(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return expand(group)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

function isMapped(bytes: readonly number[]): boolean {
  return bytes.length === 16 && mappedPrefix.every((byte, index) => bytes[index] === byte)
}

/** Which bits of the byte at `index` the first `prefix` bits cover. */
function byteMask(prefix: number, index: number): number {
  const bits = Math.min(8, Math.max(0, prefix - index * 8))
  return (0xff << (8 - bits)) & 0xff
}

function formatBytes(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) => (bytes[index * 2]! << 8) | bytes[index * 2 + 1]!)
  const { start, length } = findZeroRun(groups)
  const hex = groups.map((group) => group.toString(16))
  if (length < 2) return hex.join(':')
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`
}

/** The first of the longest runs of zero groups, which RFC 5952 writes as `::`. */
function findZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let length = 0
  for (const [index, group] of groups.entries()) {
    length = group === 0 ? length + 1 : 0
    if (length > best.length) best = { start: index - length + 1, length }
  }
  return best
}
