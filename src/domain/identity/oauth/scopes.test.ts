import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apiScopes, covers, parseScopes, withoutIncluded } from './scopes.ts'

describe('parseScopes', () => {
  test('takes spaces, line breaks, plus signs and lists, and drops repetitions', () => {
    expect(parseScopes('read  write:media\nread')).toEqual(['read', 'write:media'])
    expect(parseScopes('read+follow')).toEqual(['read', 'follow'])
    expect(parseScopes(['read write', 'push'])).toEqual(['read', 'write', 'push'])
    expect(parseScopes(' ')).toEqual([])
  })

  test.each(['admin', 'crypto', 'read:', 'Read', 'write:search', '__proto__', 'read write all'])(
    '%j is unknown',
    (text) => {
      expect(parseScopes(text)).toBeNull()
    },
  )

  test('all of the reference can be named', () => {
    expect(apiScopes).toHaveLength(new Set(apiScopes).size)
    expect(apiScopes).toHaveLength(7 + 12 + 14 + 14)
    expect(parseScopes(apiScopes)).toEqual(apiScopes)
  })
})

describe('covers', () => {
  test('a parent includes its children, not the other way round', () => {
    expect(covers(['read'], ['read:statuses', 'read:search'])).toBe(true)
    expect(covers(['read:statuses'], ['read'])).toBe(false)
    expect(covers(['read'], ['write:statuses'])).toBe(false)
    expect(covers(['read', 'write'], ['admin:read'])).toBe(false)
    expect(covers(['admin:read'], ['admin:read:ip_blocks'])).toBe(true)
    expect(covers(['admin:read'], ['read'])).toBe(false)
    expect(
      covers(
        apiScopes.filter((scope) => scope !== 'read'),
        ['read'],
      ),
    ).toBe(false)
  })

  test('follow is its six parts', () => {
    expect(covers(['follow'], ['read:blocks', 'write:mutes', 'write:follows'])).toBe(true)
    expect(covers(['follow'], ['read:accounts'])).toBe(false)
    expect(covers(['read', 'write'], ['follow'])).toBe(true)
    expect(covers(['read'], ['follow'])).toBe(false)
  })

  test('more held never opens less', () => {
    const some = fc.subarray([...apiScopes])
    fc.assert(
      fc.property(some, some, some, (held, more, asked) => {
        expect(covers(held, held)).toBe(true)
        expect(!covers(held, asked) || covers([...more, ...held], asked)).toBe(true)
        expect(covers(withoutIncluded(held), held)).toBe(true)
      }),
    )
  })
})
