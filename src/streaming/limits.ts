// How much of this process one person or one address may take.
import type { Clock } from '#ports/clock.ts'
import type { Refusal } from './streams.ts'
import type { AccountId } from '#lib/id.ts'

/** Open connections of one account: people have many devices, and apps forget sockets. */
export const perAccount = 200
/** Open connections of one address: many people may stand behind one. */
export const perAddress = 1_000
/** Attempts of one address to connect within `attemptWindow`, whether they succeed or not. */
const attemptsPerAddress = 1_500
const attemptWindow = 5 * 60_000

/** Streams of one WebSocket. */
export const streamsPerSocket = 200
/** The largest message that a client may send, in bytes: a subscription is a few dozen. */
export const largestMessage = 4 * 1024
/** Messages of one client that may wait. */
export const waitingMessages = 250

/** The machine's own people, proxies that name nobody, and tests. */
const near = new Set(['127.0.0.1', '::/64'])
export const tooMany: Refusal = { error: 'Too many requests', status: 429 }

export interface Limits {
  /** Counts an attempt. Null: it may go on. */
  attempt(address: string): Refusal | null
  /** Counts a connection until `leave`. Null: it may stay. */
  enter(accountId: AccountId, address: string): Refusal | null
  leave(accountId: AccountId, address: string): void
}

export function createLimits(clock: Clock, isOn: boolean): Limits {
  const open = new Map<string, number>()
  const attempts = new Map<string, number>()
  let window = 0
  const count = (key: string, by: number) => {
    const now = (open.get(key) ?? 0) + by
    if (now > 0) open.set(key, now)
    else open.delete(key)
  }
  const keysOf = (accountId: AccountId, address: string) =>
    [`account ${accountId}`, `address ${address}`] as const

  return {
    attempt(address) {
      if (!isOn || near.has(address)) return null
      const current = Math.floor(clock.now() / attemptWindow)
      if (current !== window) attempts.clear()
      window = current
      const made = (attempts.get(address) ?? 0) + 1
      attempts.set(address, made)
      return made > attemptsPerAddress ? tooMany : null
    },
    enter(accountId, address) {
      const [own, shared] = keysOf(accountId, address)
      const full =
        (open.get(own) ?? 0) >= perAccount || (!near.has(address) && (open.get(shared) ?? 0) >= perAddress)
      if (isOn && full) return tooMany
      count(own, 1)
      count(shared, 1)
      return null
    },
    leave(accountId, address) {
      for (const key of keysOf(accountId, address)) count(key, -1)
    },
  }
}
