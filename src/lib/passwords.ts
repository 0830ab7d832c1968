import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. Runs on the thread pool. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Hashes a password with argon2id (RFC 9106) into PHC string form. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { ...cost, message: password, nonce })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`
}

/** Whether the password is the one behind this PHC string. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (!match) return false
  const expected = Buffer.from(match[5] as string, 'base64')
  const tag = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(match[4] as string, 'base64'),
    memory: Number(match[1]),
    passes: Number(match[2]),
    parallelism: Number(match[3]),
    tagLength: expected.length,
  })
  return timingSafeEqual(tag, expected)
}

/** A hash that no password matches: checked for unknown names, so that they take as long as known ones. */
export const nobodysHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(32))}`

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
