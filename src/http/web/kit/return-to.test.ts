import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localPath } from './return-to.ts'

test.each([
  ['/', '/'],
  ['/a/b?c=d&e=%20', '/a/b?c=d&e=%20'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['/%5Cevil.example', '/%5Cevil.example'],
  ['/.//evil.example', '/'],
  ['/a/..//evil.example', '/'],
  ['/\n/evil.example', '/'],
  ['https://evil.example', '/'],
  ['a', '/'],
  ['', '/'],
])('%j leads to %s', (text, path) => expect(localPath(text)).toBe(path))

test('nothing leads to another server', () => {
  const pieces = fc.array(
    fc.constantFrom('/', '\\', '.', '..', '\t', '\n', '@', ':', 'evil.example', '%2f', '?', '#', ' '),
  )
  fc.assert(
    fc.property(pieces, (parts) => {
      const path = localPath(`/${parts.join('')}`)
      expect(new URL(path, 'https://chat.example').origin).toBe('https://chat.example')
    }),
  )
})
