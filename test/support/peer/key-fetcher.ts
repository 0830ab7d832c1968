import type { Json } from '#test/client/client.ts'
import type { PeerActor } from './actor.ts'

/**
 * Reads the documents of keys over HTTP and keeps them. Asks without a signature first, so that the other side has no
 * reason to ask back.
 */
export function createKeyFetcher(asker: PeerActor): (keyId: string, anew: boolean) => Promise<Json> {
  const kept = new Map<string, Json>()
  return async (keyId, anew) => {
    if (kept.has(keyId) && !anew) return kept.get(keyId)
    if (!URL.canParse(keyId)) throw new Error(`${JSON.stringify(keyId)} is no key id`)
    const unsigned = await asker.get(keyId, { unsigned: true })
    const answer = unsigned.status === 401 ? await asker.get(keyId) : unsigned
    if (answer.status !== 200) throw new Error(`the key ${keyId} was answered with ${answer.status}`)
    kept.set(keyId, answer.body)
    return answer.body
  }
}
