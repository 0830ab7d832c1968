import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cidrContains, formatCidr, parseCidr, type Cidr } from './cidr.ts'
import { cidrsOverlap, createIpMatcher } from './ip-matcher.ts'

const cidr = (text: string): Cidr => parseCidr(text)!
const matcherOf = (...texts: string[]) => createIpMatcher(texts.map((text) => [cidr(text), text] as const))

describe('what is said of an address', () => {
  const matcher = matcherOf('10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '2001:db8::/32', '2001:db8::1/128')

  test('comes from all ranges that hold it, the narrowest first', () => {
    expect(matcher.find('10.1.2.3')).toEqual(['10.1.2.3', '10.1.0.0/16', '10.0.0.0/8'])
    expect(matcher.find('10.1.9.9')).toEqual(['10.1.0.0/16', '10.0.0.0/8'])
    expect(matcher.find('2001:db8::1')).toEqual(['2001:db8::1/128', '2001:db8::/32'])
    expect(matcher.find('11.0.0.0')).toEqual([])
  })

  test('is the same for IPv4 in the clothes of IPv6, in both directions', () => {
    expect(matcher.find('::ffff:10.9.9.9')).toEqual(['10.0.0.0/8'])
    expect(matcherOf('::ffff:10.0.0.0/104').find('10.9.9.9')).toEqual(['::ffff:10.0.0.0/104'])
    expect(matcherOf('::/0').find('10.9.9.9')).toEqual([])
  })

  test('is nothing for what is no address', () => {
    for (const text of ['', 'unknown', '10.1.2.3/32', '10.1.2', '1.2.3.4, 10.1.2.3'])
      expect([text, matcher.find(text)]).toEqual([text, []])
  })

  test('can be of everything', () => {
    expect(matcherOf('0.0.0.0/0').find('255.255.255.255')).toEqual(['0.0.0.0/0'])
  })
})

/** Ranges close to each other, so that many hold each other. */
const someCidr = fc
  .oneof(
    fc.record({ bytes: fc.tuple(fc.constantFrom(10, 11), byte(), byte(), byte()), bits: fc.constant(32) }),
    fc.record({
      bytes: fc.tuple(...Array.from({ length: 16 }, (_, index) => (index < 14 ? fc.constant(0x20) : byte()))),
      bits: fc.constant(128),
    }),
  )
  .chain(({ bytes, bits }) =>
    fc.integer({ min: 0, max: bits }).map((prefix) => cidr(formatCidr({ bytes, prefix }))),
  )

function byte() {
  return fc.constantFrom(0, 1, 127, 128, 255)
}

const addressOf = ({ bytes }: Cidr) => formatCidr({ bytes, prefix: bytes.length * 8 }).replace(/\/\d+$/, '')

test('a matcher finds exactly the ranges that hold the address', () => {
  fc.assert(
    fc.property(fc.array(someCidr, { maxLength: 30 }), someCidr, (ranges, other) => {
      const matcher = createIpMatcher(ranges.map((range, index) => [range, index] as const))
      const address = addressOf(other)
      const expected = ranges.flatMap((range, index) => (cidrContains(range, address) ? [index] : []))
      expect(matcher.find(address).toSorted((a, b) => a - b)).toEqual(expected)
    }),
  )
})

test('ranges overlap when one holds the first address of the other', () => {
  expect(cidrsOverlap(cidr('0.0.0.0/0'), cidr('127.0.0.0/8'))).toBe(true)
  expect(cidrsOverlap(cidr('127.0.0.1'), cidr('127.0.0.0/8'))).toBe(true)
  expect(cidrsOverlap(cidr('128.0.0.0/8'), cidr('127.0.0.0/8'))).toBe(false)
  expect(cidrsOverlap(cidr('::/0'), cidr('127.0.0.0/8'))).toBe(false)
  fc.assert(
    fc.property(someCidr, someCidr, (a, b) => {
      const expected = cidrContains(a, addressOf(b)) || cidrContains(b, addressOf(a))
      expect(cidrsOverlap(a, b)).toBe(expected)
    }),
  )
})
