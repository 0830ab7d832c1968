// Public keys of others, parsed: a parse takes some 40 µs, and the same servers sign again and again.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** By its PEM, so that it is never another key than the stored one. About 2 KB each. */
const parsed = new LRUCache<string, KeyObject>({ max: 5_000 })

/** The key of a PEM that was checked when it was stored. */
export function toKeyObject(pem: string): KeyObject {
  const known = parsed.get(pem)
  if (known) return known
  const key = createPublicKey(pem)
  parsed.set(pem, key)
  return key
}
