import { expect, test } from 'vitest'
import { encrypt, decrypt } from './encrypt.ts'

const key = { base: 'a'.repeat(64), purpose: 'test', owner: '1' }

test('what is sealed opens with the same key, purpose and owner alone', () => {
  const sealed = encrypt('a secret ✓', key)
  expect(sealed).not.toContain('secret')
  expect(decrypt(sealed, key)).toBe('a secret ✓')
  expect(decrypt(sealed, { ...key, base: 'b'.repeat(64) })).toBeNull()
  expect(decrypt(sealed, { ...key, purpose: 'other' })).toBeNull()
  expect(decrypt(sealed, { ...key, owner: '2' })).toBeNull()
})

test('it never looks the same twice, and does not open when it was changed', () => {
  const sealed = encrypt('again', key)
  expect(encrypt('again', key)).not.toBe(sealed)
  const bytes = Buffer.from(sealed, 'base64url')
  for (const index of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(decrypt(changed.toString('base64url'), key)).toBeNull()
  }
  expect(decrypt('', key)).toBeNull()
  expect(decrypt('short', key)).toBeNull()
})
