import { createHash } from 'node:crypto'
import { normaliseDomain } from '#lib/acct.ts'

/** The address without what providers ignore: case, dots and `+tag` in the local part; its domain in its one spelling. */
export function canonicalEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at).replace(/\+.*$/, '').replaceAll('.', '')
  const domain = email.slice(at + 1)
  return `${local}@${normaliseDomain(domain) ?? domain}`.toLowerCase()
}

/** SHA-256 in hex of the canonical address, as Mastodon has it: others' lists of hashes hold here, too. */
export function canonicalEmailHash(email: string): string {
  return createHash('sha256').update(canonicalEmail(email.trim())).digest('hex')
}
