// Addresses that are no place on the public internet.

import { isIPv4, isIPv6 } from 'node:net'
import { cidrContains, normaliseAddress, parseCidr, type Cidr } from './cidr.ts'

const parse = (ranges: readonly string[]): Cidr[] => ranges.map((range) => parseCidr(range)!)

/** IANA IPv4 Special-Purpose Address Registry (RFC 6890), without the blocks that are globally reachable. */
const specialIpv4 = parse([
  '0.0.0.0/8', // this network, RFC 791
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // shared by customers of a provider (CGNAT), RFC 6598
  '127.0.0.0/8', // loopback, RFC 1122
  '168.63.129.16/32', // the host of a virtual machine in Azure, which is public by its number only
  '169.254.0.0/16', // link-local, RFC 3927; metadata of clouds
  '172.16.0.0/12', // private, RFC 1918
  '192.0.0.0/24', // protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.88.99.0/24', // relays of 6to4, deprecated by RFC 7526
  '192.168.0.0/16', // private, RFC 1918
  '198.18.0.0/15', // benchmarks, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved and broadcast, RFC 1112 and RFC 919
])

/**
 * All of IPv6 that is given out for use on the internet (RFC 4291). Unspecified, loopback, IPv4-compatible, NAT64
 * (RFC 6052, RFC 8215), unique-local, link-local, site-local and multicast addresses lie outside of it.
 */
const globalIpv6 = parseCidr('2000::/3')!

/** What the IANA IPv6 Special-Purpose Address Registry takes out of it. */
const specialIpv6 = parse([
  '2001::/23', // protocol assignments, RFC 2928: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4, RFC 3056: holds any IPv4 address
  '3fff::/20', // documentation, RFC 9637
])

/**
 * Whether an address is an ordinary one of the public internet. False for private, loopback, link-local, shared,
 * multicast, reserved and documentation addresses (RFC 6890), for IPv6 that stands for an IPv4 address (mapped,
 * NAT64, 6to4, Teredo), and for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIpv4.some((range) => cidrContains(range, address))
  if (!isIPv6(address) || isIPv4(normaliseAddress(address))) return false
  return cidrContains(globalIpv6, address) && !specialIpv6.some((range) => cidrContains(range, address))
}
