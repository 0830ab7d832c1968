// Pairs of RSA keys for the actors of tests. They take long to make, so a file's tests hand them on to one another.
import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

export interface PeerKey {
  readonly privateKey: KeyObject
  readonly publicKeyPem: string
}

const free: PeerKey[] = []
const makePair = promisify(generateKeyPair)

/** A pair that nobody else has while this test runs. */
export async function borrowKey(): Promise<PeerKey> {
  const key = free.pop() ?? (await makeKey())
  onTestFinished(() => void free.push(key))
  return key
}

async function makeKey(): Promise<PeerKey> {
  const { privateKey, publicKey } = await makePair('rsa', { modulusLength: 2048 })
  return { privateKey, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString() }
}
