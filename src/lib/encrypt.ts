import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** What it was sealed with: the base of all secrets, what for, and whose it is. It opens with the same three alone. */
export interface EncryptionKey {
  base: string
  purpose: string
  owner: string
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** A text that whoever reads the database cannot read (AES-256-GCM, a key of its own for each purpose), in base64url. */
export function encrypt(text: string, key: EncryptionKey): string {
  const nonce = randomBytes(nonceBytes)
  const sealer = createCipheriv(cipher, keyOf(key), nonce).setAAD(Buffer.from(key.owner))
  const sealed = Buffer.concat([sealer.update(text, 'utf8'), sealer.final()])
  return Buffer.concat([nonce, sealer.getAuthTag(), sealed]).toString('base64url')
}

/** The text that `seal` was given, or null: sealed with another key, or changed. */
export function decrypt(sealed: string, key: EncryptionKey): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) return null
  const nonce = bytes.subarray(0, nonceBytes)
  const opener = createDecipheriv(cipher, keyOf(key), nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(key.owner))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([opener.update(bytes.subarray(nonceBytes + tagBytes)), opener.final()]).toString()
  } catch {
    return null
  }
}

function keyOf({ base, purpose }: EncryptionKey): Buffer {
  return Buffer.from(hkdfSync('sha256', base, '', `seal:${purpose}`, 32))
}
