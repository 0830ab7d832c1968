// Our reading of addresses and ranges beside that of ipaddr.js.
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { addressBlock, cidrContains, formatCidr, normaliseAddress, parseCidr } from './cidr.ts'
import { createIpMatcher } from './ip-matcher.ts'
import { isPublicAddress } from './special-addresses.ts'
import { runs } from '#test/run/night.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** IPv4-mapped IPv6 as IPv4, without a zone. */
const theirs = (text: string): Address => ipaddr.process(text.replace(/%.*$/, ''))

const ipv4 = fc.ipV4()
const mapped = ipv4.map((address) => `::ffff:${address}`)
/** Near the edges of ranges, where mistakes are. */
const nearEdges = fc
  .tuple(
    fc.constantFrom(
      '10.0.0.0',
      '100.64.0.0',
      '127.0.0.0',
      '172.16.0.0',
      '192.168.0.0',
      '198.18.0.0',
      '224.0.0.0',
    ),
    fc.constantFrom(0, 8, 10, 12, 15, 16, 32),
    fc.integer({ min: -2, max: 2 }),
  )
  .map(([start, prefix, step]) => {
    const first = start.split('.').reduce((number, part) => number * 256 + Number(part), 0)
    const number = (first + (step < 0 ? 0 : 2 ** (32 - prefix)) + step + 2 ** 32) % 2 ** 32
    return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
  })
const ipv6 = fc.oneof(
  fc.ipV6(),
  fc
    .tuple(fc.constantFrom('2001:', '2002:', 'fe80:', 'fd00:', '64:ff9b:', 'ff02:', '3fff:'), fc.ipV6())
    .map(
      ([start, rest]) =>
        `${start}${rest.split(':').slice(-1)[0]?.includes('.') ? ':1' : `:${rest.split(':').at(-1) || '1'}`}`,
    ),
)
/** An IPv4-compatible address (RFC 4291, section 2.5.5.1) is IPv6, which ipaddr.js takes for a mapped one. */
const isCompatible = (text: string) => /^::\d+\./.test(text)
const isKnown = (text: string) => ipaddr.isValid(text) && !isCompatible(text)
const address = fc.oneof(ipv4, nearEdges, ipv6, mapped).filter(isKnown)
const range = fc.oneof(
  fc.tuple(fc.oneof(ipv4, nearEdges), fc.nat(32)),
  fc.tuple(ipv6.filter(isKnown), fc.nat(128)),
)

const often = { numRuns: runs(1000) }

describe('as ipaddr.js', () => {
  test('an address has one spelling', () => {
    fc.assert(
      fc.property(address, (text) => {
        const known = theirs(text)
        const spelling = normaliseAddress(text)
        expect(theirs(spelling).toByteArray()).toEqual(known.toByteArray())
        expect(spelling).toBe(
          known.kind() === 'ipv4' ? known.toString() : (known as ipaddr.IPv6).toRFC5952String(),
        )
      }),
      often,
    )
  })

  test('a range holds the same addresses', () => {
    fc.assert(
      fc.property(range, address, fc.boolean(), ([base, prefix], other, near) => {
        const ours = parseCidr(`${base}/${prefix}`)
        if (!ours) throw new Error('it is a range')
        const known = theirs(base)
        const isMapped = known.kind() === 'ipv4' && base.includes(':')
        if (isMapped && prefix < 96) return
        const length = isMapped ? prefix - 96 : prefix
        const asked = near ? base : other
        const them = theirs(asked)
        const holds =
          them.kind() === known.kind() && (them as ipaddr.IPv6).match(known as ipaddr.IPv6, length)
        expect(cidrContains(ours, asked)).toBe(holds)
        expect(createIpMatcher([[ours, 'held']]).find(asked)).toEqual(holds ? ['held'] : [])
        expect(parseCidr(formatCidr(ours))).toEqual(ours)
      }),
      often,
    )
  })

  test('what limits count IPv6 by is its /64', () => {
    fc.assert(
      fc.property(address, (text) => {
        const known = theirs(text)
        const block = known.kind() === 'ipv4' ? `${known.toString()}/32` : addressBlock(text)
        expect(known.match(ipaddr.parseCIDR(block) as [ipaddr.IPv6, number])).toBe(true)
        expect(addressBlock(text)).toBe(known.kind() === 'ipv4' ? known.toString() : block)
        expect(block.endsWith('/64')).toBe(known.kind() === 'ipv6')
      }),
      often,
    )
  })

  test('no address is public that is special there', () => {
    fc.assert(
      fc.property(address, (text) => {
        fc.pre(isPublicAddress(text))
        expect(theirs(text).range()).toBe('unicast')
      }),
      often,
    )
  })

  test('what is no address there is none here', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef.:/%x ') }),
      fc
        .tuple(address, fc.constantFrom('', '/', '/x', '/-1', '/129', '.', ':', '%eth0', ' '))
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (written) => {
        if (parseCidr(written) === null) return
        const [base = ''] = written.trim().split('/')
        expect(ipaddr.isValid(base)).toBe(true)
        const isFour = base.includes('.') && !base.includes(':')
        expect(isFour && !ipaddr.IPv4.isValidFourPartDecimal(base)).toBe(false)
      }),
      often,
    )
  })
})
