import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalizePath, parseRequestUrl } from './request-path.ts'

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
