import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from './special-addresses.ts'

describe('public addresses', () => {
  test.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '168.63.129.15',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:830::200e',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('special addresses', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(['', 'example.org', '1.1.1', '1.1.1.1.1', '0x7f.1', '[::1]', '1.1.1.1/8'])(
    'no address: %j',
    (text) => {
      expect(isPublicAddress(text)).toBe(false)
    },
  )

  test('no spelling of IPv4 inside IPv6 is public', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const hex = Buffer.from(address.split('.').map(Number)).toString('hex')
        const [high, low] = [hex.slice(0, 4), hex.slice(4)]
        for (const ipv6 of [
          `::${address}`,
          `::ffff:${address}`,
          `64:ff9b::${address}`,
          `2002:${high}:${low}::1`,
          `2001:0:1:2:3:4:${high}:${low}`,
        ])
          expect([ipv6, isPublicAddress(ipv6)]).toEqual([ipv6, false])
      }),
    )
  })
})
