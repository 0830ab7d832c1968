// Keys of local accounts for the servers of tests. An RSA pair takes longer to make than most of what is done with it,
// so those of servers that have gone are handed on, and a server that has many accounts gets the same ones again.
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

/** Pairs of their own that the accounts of a server have, one after the other: more than meet in any one test. */
const distinct = 40

export function createKeyPool(): KeyPool {
  const free = (globalThis.freeKeys ??= [])
  const own: SigningPems[] = []
  let handedOut = 0
  return {
    async generate() {
      const again = own[handedOut++ % distinct]
      if (again) return again
      const keys = free.shift() ?? (await generateSigningPems())
      own.push(keys)
      return keys
    },
    release: () => void free.push(...own.splice(0)),
  }
}
