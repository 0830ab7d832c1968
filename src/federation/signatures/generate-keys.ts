import { generateKeyPair } from 'node:crypto'

/** Both as PEM: SPKI and PKCS #8. */
export interface KeyPair {
  publicKey: string
  privateKey: string
}

const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
const encodings = { publicKeyEncoding, privateKeyEncoding }

/** A new RSA key of 2048 bits, for HTTP signatures. It takes some 30 ms of the thread pool, at times far more. */
export function generateRsaKeys(): Promise<KeyPair> {
  return asPromise((done) => generateKeyPair('rsa', { modulusLength: 2048, ...encodings }, done))
}

/** A new Ed25519 key, for integrity proofs. */
export function generateEd25519Keys(): Promise<KeyPair> {
  return asPromise((done) => generateKeyPair('ed25519', encodings, done))
}

type Done = (error: Error | null, publicKey: string, privateKey: string) => void

function asPromise(start: (done: Done) => void): Promise<KeyPair> {
  return new Promise((resolve, reject) =>
    start((error, publicKey, privateKey) => (error ? reject(error) : resolve({ publicKey, privateKey }))),
  )
}
