import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

/** Both as PEM: SPKI and PKCS #8. */
export interface KeyPair {
  publicKey: string
  privateKey: string
}

const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
const encodings = { publicKeyEncoding, privateKeyEncoding }
const generate = promisify(generateKeyPair)

/** A new RSA key of 2048 bits, for HTTP signatures. It takes some 30 ms of the thread pool, at times far more. */
export function generateRsaKeys(): Promise<KeyPair> {
  return generate('rsa', { modulusLength: 2048, ...encodings })
}

/** A new Ed25519 key, for integrity proofs. */
export function generateEd25519Keys(): Promise<KeyPair> {
  return generate('ed25519', encodings)
}
