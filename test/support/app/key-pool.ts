// Keys of local accounts for the servers of tests. An RSA pair takes longer to make than most of what is done with it,
// so those of servers that have gone are handed on. Within a server each pair is one account's.
import { generateSigningPems } from '#federation/signatures/signing-keys.ts'
import type { SigningPems } from '#ports/activity-pub.ts'

declare global {
  /** Pairs that this process has made and nobody has now. */
  var freeKeys: SigningPems[] | undefined
}

export interface KeyPool {
  /** As `generateSigningPems`. */
  generate(): Promise<SigningPems>
  /** Gives back what was handed out. */
  release(): void
}

export function createKeyPool(): KeyPool {
  const free = (globalThis.freeKeys ??= [])
  const given: SigningPems[] = []
  return {
    async generate() {
      const keys = free.shift() ?? (await generateSigningPems())
      given.push(keys)
      return keys
    },
    release: () => void free.push(...given.splice(0)),
  }
}
