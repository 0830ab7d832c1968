// The pair of keys of P-256 that signs Web Push messages (RFC 8292): the uncompressed point, 65 bytes, and the scalar,
// 32 bytes, in base64url.
import { createECDH } from 'node:crypto'

export interface VapidKeys {
  publicKey: string
  privateKey: string
}

const scalarBytes = 32

/**
 * A new pair. Node gives a private key without its leading zero bytes, which one in 256 has, and RFC 7518 (section
 * 6.2.2.1) wants them all.
 */
export function newVapidKeys(): VapidKeys {
  const curve = createECDH('prime256v1')
  return { publicKey: curve.generateKeys('base64url'), privateKey: wholeKey(curve.getPrivateKey()) }
}

/** The same pair with all bytes of its private key, as earlier versions and other programs did not write them. */
export function mendVapidKeys({ publicKey, privateKey }: VapidKeys): VapidKeys {
  return { publicKey, privateKey: wholeKey(Buffer.from(privateKey, 'base64url')) }
}

/** A private key of at most 32 bytes with the leading zeros it has lost; a longer one as it is. */
function wholeKey(scalar: Buffer): string {
  const zeros = Buffer.alloc(Math.max(0, scalarBytes - scalar.length))
  return Buffer.concat([zeros, scalar]).toString('base64url')
}

/** The public key that belongs to a private one, or null when that is not a key of the curve. */
export function findVapidPublicKey(privateKey: string): string | null {
  const curve = createECDH('prime256v1')
  try {
    curve.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  } catch {
    return null
  }
  return curve.getPublicKey('base64url')
}
