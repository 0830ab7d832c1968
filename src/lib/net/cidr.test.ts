import fc from 'fast-check'
import { BlockList } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  addressBlock,
  addressNetwork,
  cidrContains,
  clientAddress,
  formatCidr,
  normaliseAddress,
  parseCidr,
} from '#lib/net/cidr.ts'

function range(text: string) {
  const cidr = parseCidr(text)
  if (!cidr) throw new Error(`not a range: ${text}`)
  return cidr
}

describe('parseCidr', () => {
  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['127.0.0.1', '127.0.0.1/32'],
    [' 0.0.0.0/0 ', '0.0.0.0/0'],
    ['::1', '::1/128'],
    ['FD00:0::1/8', 'fd00::/8'],
    ['::/0', '::/0'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:192.168.1.1', '192.168.1.1/32'],
    ['192.168.1.129/25', '192.168.1.128/25'],
  ])('%s is %s', (text, expected) => {
    expect(formatCidr(range(text))).toBe(expected)
  })

  test.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '::/129',
    '10.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
  ])('%j is no range', (text) => expect(parseCidr(text)).toBeNull())

  test.each(['010.0.0.1', '10.0.0.0/8x', 'fe80::1%eth0', '1.2.3.4.5', ':::'])('%j is no range', (text) => {
    expect(parseCidr(text)).toBeNull()
  })
})

describe('cidrContains', () => {
  test('compares only the bits of the prefix', () => {
    expect(cidrContains(range('10.0.0.0/8'), '10.255.1.2')).toBe(true)
    expect(cidrContains(range('10.0.0.0/8'), '11.0.0.0')).toBe(false)
    expect(cidrContains(range('172.16.0.0/12'), '172.31.255.255')).toBe(true)
    expect(cidrContains(range('172.16.0.0/12'), '172.32.0.0')).toBe(false)
    expect(cidrContains(range('fd00::/8'), 'fdff::1')).toBe(true)
    expect(cidrContains(range('fd00::/8'), 'fe80::1')).toBe(false)
  })

  test('an IPv4-mapped address is the IPv4 address, and families do not mix', () => {
    expect(cidrContains(range('127.0.0.0/8'), '::ffff:127.0.0.1')).toBe(true)
    expect(cidrContains(range('127.0.0.0/8'), '::FFFF:7f00:1')).toBe(true)
    expect(cidrContains(range('::/0'), '127.0.0.1')).toBe(false)
    expect(cidrContains(range('0.0.0.0/0'), '::1')).toBe(false)
    expect(cidrContains(range('0.0.0.0/0'), 'example.com')).toBe(false)
  })

  test("agrees with the runtime's own list for any IPv4 range", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV4(), (base, prefix, address) => {
        const list = new BlockList()
        list.addSubnet(base, prefix, 'ipv4')
        expect(cidrContains(range(`${base}/${prefix}`), address)).toBe(list.check(address, 'ipv4'))
      }),
    )
  })
})

describe('normaliseAddress and addressBlock', () => {
  test('one spelling per address', () => {
    expect(normaliseAddress('::ffff:1.2.3.4')).toBe('1.2.3.4')
    expect(normaliseAddress('2001:0DB8:0:0:1:0:0:1')).toBe('2001:db8::1:0:0:1')
    expect(normaliseAddress('2001:db8:0:1:1:1:1:1')).toBe('2001:db8:0:1:1:1:1:1')
    expect(normaliseAddress('fe80::1%eth0')).toBe('fe80::1')
    expect(normaliseAddress('::')).toBe('::')
    expect(normaliseAddress('1::')).toBe('1::')
    expect(normaliseAddress('nonsense ')).toBe('nonsense')
  })

  test('spelling an address again changes nothing', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const once = normaliseAddress(address)
        expect(normaliseAddress(once)).toBe(once)
        expect(cidrContains(range(address), once)).toBe(true)
      }),
    )
  })

  test('IPv6 counts by its /64', () => {
    expect(addressBlock('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(addressBlock('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64')
    expect(addressBlock('2001:db8:1:3::9')).not.toBe('2001:db8:1:2::/64')
    expect(addressBlock('1.2.3.4')).toBe('1.2.3.4')
    expect(addressBlock('::ffff:1.2.3.4')).toBe('1.2.3.4')
    expect(addressNetwork('192.0.2.77')).toBe('192.0.0.0/16')
    expect(addressNetwork('::ffff:192.0.9.1')).toBe('192.0.0.0/16')
    expect(addressNetwork('2001:db8:1:2::9')).toBe('2001:db8::/32')
    expect(addressNetwork(' nowhere ')).toBe('nowhere')
  })
})

describe('clientAddress', () => {
  const trusted = [range('127.0.0.0/8'), range('::1'), range('10.0.0.0/8')]
  const from = (remoteAddress: string, forwardedFor: string | null) =>
    clientAddress({ remoteAddress, forwardedFor, trusted })

  test('a stranger cannot speak for others', () => {
    expect(from('203.0.113.9', '1.2.3.4')).toBe('203.0.113.9')
  })

  test('a trusted proxy names the client, and what the client invented does not count', () => {
    expect(from('127.0.0.1', '198.51.100.7')).toBe('198.51.100.7')
    expect(from('::ffff:127.0.0.1', '6.6.6.6, 198.51.100.7')).toBe('198.51.100.7')
    expect(from('::1', '6.6.6.6, 198.51.100.7, 10.0.0.2')).toBe('198.51.100.7')
    expect(from('127.0.0.1', '127.0.0.1, 198.51.100.7')).toBe('198.51.100.7')
  })

  test('without a usable entry it is the last address that was believed', () => {
    expect(from('127.0.0.1', null)).toBe('127.0.0.1')
    expect(from('127.0.0.1', '')).toBe('127.0.0.1')
    expect(from('127.0.0.1', '1.2.3.4, unknown')).toBe('127.0.0.1')
    expect(from('127.0.0.1', '1.2.3.4, unknown, 10.0.0.2')).toBe('10.0.0.2')
    expect(from('127.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3')
  })

  test('entries with a port', () => {
    expect(from('127.0.0.1', '198.51.100.7:4711')).toBe('198.51.100.7')
    expect(from('127.0.0.1', '[2001:DB8::7]:4711')).toBe('2001:db8::7')
    expect(from('127.0.0.1', '2001:db8::7')).toBe('2001:db8::7')
  })
})
