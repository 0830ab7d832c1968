import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatAcct,
  isLocalUsername,
  isUsername,
  normaliseDomain,
  normaliseUsername,
  parseAcct,
} from './acct.ts'
import { runs } from '#test/run/night.ts'

describe('parseAcct', () => {
  test.each([
    ['alice', 'alice', null],
    ['@alice', 'alice', null],
    [' @Alice@Example.COM ', 'Alice', 'example.com'],
    ['alice@example.com.', 'alice', 'example.com'],
    ['a.b-c_d@example.com', 'a.b-c_d', 'example.com'],
    ['name@127.0.0.1:3000', 'name', '127.0.0.1:3000'],
    ['name@localhost:3000', 'name', 'localhost:3000'],
    ['name@[::1]:3000', 'name', '[::1]:3000'],
    ['名@例え.jp', null, null],
    ['name@例え.jp', 'name', 'xn--r8jz45g.jp'],
    ['name@EXAMPLE。com', 'name', 'example.com'],
  ])('%s', (text, username, domain) => {
    expect(parseAcct(text)).toEqual(username === null ? null : { username, domain })
  })

  test.each([
    '',
    '@',
    '@@a',
    'a@',
    'a@b@c',
    'a@b/c',
    'a@b#c',
    'a@b?c',
    'a@b\\c',
    'a@b c.com',
    'a@b\u0000.com',
    'a@b\u202e.com',
    'a@b%41.com',
    'a@b:port',
    'a@b:0',
    'a@b:99999',
    'a@b:80:80',
    'a@..',
    'a@b..c',
    'a@-b.com',
    'a@[::1',
    'a@[127.0.0.1]',
    `a@${'b'.repeat(64)}.com`,
    `a@${'bbbb.'.repeat(60)}com`,
    '.a@b.com',
    'a.@b.com',
    'a b@c.com',
    `a@${'b.'.repeat(100_000)}com`,
  ])('refuses %j', (text) => expect(parseAcct(text)).toBeNull())

  test('what is accepted makes a URL with exactly that host', () => {
    const host = fc.string({
      unit: fc.constantFrom(...'aZ09.-_:/\\#?@%[]x é。\u200b'),
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(host, (text) => {
        const domain = parseAcct(`a@${text}`)?.domain
        if (domain == null) return
        const url = new URL(`https://${domain}/path`)
        expect([url.host, url.pathname, url.username, url.hash]).toEqual([domain, '/path', '', ''])
        expect(normaliseDomain(domain)).toBe(domain)
      }),
      { numRuns: runs(2000) },
    )
  })
})

describe('normaliseDomain', () => {
  test.each([
    ['EXAMPLE.com', 'example.com'],
    ['example.com:443', 'example.com'],
    ['example.com:80', 'example.com'],
    ['example.com:08080', 'example.com:8080'],
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['017700000001:3000', '127.0.0.1:3000'],
    ['straße.de', 'xn--strae-oqa.de'],
    ['1.2.3.4.5', null],
  ])('%s is %s', (text, expected) => expect(normaliseDomain(text)).toBe(expected))
})

describe('formatAcct', () => {
  test('leaves out the local domain and shows others in Unicode', () => {
    expect(formatAcct('alice', null)).toBe('alice')
    expect(formatAcct('alice', 'example.com')).toBe('alice@example.com')
    expect(formatAcct('alice', 'xn--r8jz45g.jp:3000')).toBe('alice@例え.jp:3000')
  })

  test('is read back by parseAcct', () => {
    fc.assert(
      fc.property(fc.domain(), (name) => {
        const domain = normaliseDomain(name)
        if (domain === null) return
        expect(parseAcct(formatAcct('a', domain))).toEqual({ username: 'a', domain })
      }),
    )
  })
})

test('usernames', () => {
  expect(isLocalUsername('Alice_01')).toBe(true)
  expect(isLocalUsername('a'.repeat(30))).toBe(true)
  for (const name of ['', 'a'.repeat(31), 'a.b', 'a-b', 'é', 'a\n', '\u212A'])
    expect(isLocalUsername(name)).toBe(false)
  expect(isUsername('a.b-c')).toBe(true)
  expect(isUsername('a.')).toBe(false)
  expect(normaliseUsername('AliceÄ\u212A')).toBe('aliceÄ\u212A')
})
