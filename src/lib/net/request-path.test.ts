import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizePath, parseRequestUrl, splitRequestUrl } from './request-path.ts'

describe('normalizePath', () => {
  test.each([
    ['/', '/'],
    ['//', '/'],
    ['/api/v1/instance', '/api/v1/instance'],
    ['/api/v1/instance/', '/api/v1/instance'],
    ['/api/v1/instance///', '/api/v1/instance'],
    ['//api//v1/instance', '/api/v1/instance'],
    ['/media/a%2Fb%2f/', '/media/a%2Fb%2f'],
    ['/api/v1/instance%2F', '/api/v1/instance%2F'],
  ])('%s is %s', (path, expected) => expect(normalizePath(path)).toBe(expected))

  test('a path of a path is itself', () => {
    const paths = fc
      .array(fc.constantFrom('/', 'a', '.', '%2F', '%2e', '\\', '?'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(paths, (path) => {
        expect(normalizePath(normalizePath(path))).toBe(normalizePath(path))
      }),
    )
  })
})

describe('parseRequestUrl', () => {
  const base = 'http://chat.example'

  test.each([
    ['/api/v1/streaming/?stream=user', '/api/v1/streaming?stream=user'],
    ['//evil.example/x', '/evil.example/x'],
    ['/a/./b/../c/', '/a/c'],
    ['/a/%2e%2e/c/', '/c'],
    ['http://other.example/a//b/?c=//', '/a/b?c=//'],
  ])('%s asks for %s', (target, expected) => {
    const url = parseRequestUrl(target, base)
    expect(url && url.pathname + url.search).toBe(expected)
  })

  test('the host is never taken from a path', () => {
    expect(parseRequestUrl('//evil.example/x', base)?.host).toBe('chat.example')
    expect(parseRequestUrl('*', base)?.host).toBe('chat.example')
  })

  test('what is no address is none', () => expect(parseRequestUrl('http://')).toBeNull())
})

describe('splitRequestUrl', () => {
  const parts = fc
    .array(
      fc.constantFrom(
        '/',
        'a',
        '.',
        '..',
        '%2F',
        '%C3',
        '?',
        '&',
        '=',
        '+',
        '#',
        "'",
        '[]',
        'é',
        ' ',
        '@',
        ':',
      ),
    )
    .map((list) => `/${list.join('')}`)

  test('sees in an address what parsing it does', () => {
    fc.assert(
      fc.property(fc.constantFrom('http://chat.example', 'https://[::1]:8080'), parts, (base, target) => {
        // As a server writes it that was asked by this target.
        const { href } = new URL(base + target)
        const { pathname, search, searchParams } = parseRequestUrl(href) as URL
        const split = splitRequestUrl(href)
        expect([split.pathname, split.search]).toEqual([pathname, search])
        expect([...split.searchParams]).toEqual([...searchParams])
      }),
    )
  })

  test.each(['http://chat.example/a?b=1#c', "http://chat.example/a?b='c'", 'http://chat.example/a?#b'])(
    '%s, which servers pass as it came, too',
    (href) => {
      const { pathname, search } = parseRequestUrl(href) as URL
      expect(splitRequestUrl(href)).toMatchObject({ pathname, search })
    },
  )
})
