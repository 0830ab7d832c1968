import { createPrivateKey, createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { generateEd25519Keys, generateRsaKeys } from './generate-keys.ts'
import { readPublicKeyPem } from './multikey.ts'

test.each([
  ['rsa', generateRsaKeys, { modulusLength: 2048, publicExponent: 65_537n }],
  ['ed25519', generateEd25519Keys, {}],
] as const)('Keys are made as pairs of PEM: %s', async (kind, generate, details) => {
  const [pair, other] = await Promise.all([generate(), generate()])
  const publicKey = readPublicKeyPem(pair.publicKey)
  expect(publicKey?.asymmetricKeyType).toBe(kind)
  expect(publicKey?.asymmetricKeyDetails).toEqual(details)
  expect(createPublicKey(createPrivateKey(pair.privateKey)).equals(createPublicKey(pair.publicKey))).toBe(
    true,
  )
  expect(pair.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
  expect(other.privateKey).not.toBe(pair.privateKey)
})
