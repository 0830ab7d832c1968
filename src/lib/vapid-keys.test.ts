import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findVapidPublicKey, mendVapidKeys, newVapidKeys } from './vapid-keys.ts'

/** A private key that begins with so many zero bytes. */
const keysWithZeros = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([zeros, bytes]) => Buffer.concat([Buffer.alloc(zeros), Buffer.from(bytes).subarray(zeros)]))
  .filter((key) => key[0] !== 0xff && key.some((byte) => byte !== 0))

test('a private key that lost its leading zeros gets them back, and belongs to the same public key', () => {
  fc.assert(
    fc.property(keysWithZeros, (key) => {
      const short = key.subarray(key.findIndex((byte) => byte !== 0)).toString('base64url')
      const publicKey = findVapidPublicKey(key.toString('base64url'))
      expect(publicKey).not.toBeNull()
      const mended = mendVapidKeys({ publicKey: publicKey as string, privateKey: short })
      expect(mended).toEqual({ publicKey, privateKey: key.toString('base64url') })
      expect(findVapidPublicKey(mended.privateKey)).toBe(publicKey)
      expect(mendVapidKeys(mended)).toEqual(mended)
    }),
  )
})

/** So many that one with a leading zero is among them in 997 of 1,000 runs. */
test('new keys are whole', () => {
  const made = Array.from({ length: 1500 }, newVapidKeys)
  for (const { publicKey, privateKey } of made) {
    expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65)
    expect(Buffer.from(privateKey, 'base64url')).toHaveLength(32)
    expect(findVapidPublicKey(privateKey)).toBe(publicKey)
  }
})
