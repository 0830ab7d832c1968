/**
 * Short-lived keys: rate limits, nonces, idempotency keys, caches. Everything here may be lost at any moment
 * (a restart, an eviction), so it never holds the only copy of anything. Every key has a time to live.
 *
 * Methods reject when the store cannot be reached; the caller chooses whether to go on without it.
 */
export interface Kv {
  /** The value, or null when it is unset or has expired. */
  get(key: string): Promise<string | null>
  /** Sets the value for `ttlSeconds` (more than 0), whatever was there. */
  set(key: string, value: string, ttlSeconds: number): Promise<void>
  /** Sets the value when the key is free. True when this call took it: exactly one of many callers gets true. */
  setIfAbsent(key: string, value: string, ttlSeconds: number): Promise<boolean>
  /** Forgets the key; no error when it is unset. */
  delete(key: string): Promise<void>
  /**
   * Adds `by` (an integer, may be negative or 0) to a counter that starts at 0, and answers its new value.
   * The time to live is set when the counter is created and is not renewed, so a counter is a fixed window.
   */
  increment(key: string, by: number, ttlSeconds: number): Promise<number>
  /** Several increments in one round trip; the answers are in the order of the entries. */
  incrementMany(entries: readonly KvIncrement[]): Promise<number[]>
  /** What holds the keys, for people to read; null when that is this process. */
  describe(): Promise<KvDescription | null>
  /** Lets go of connections and timers. Nothing may be called afterwards. */
  close(): Promise<void>
}

export interface KvDescription {
  version: string
  /** What it takes of memory. */
  bytes: number
}

export interface KvIncrement {
  key: string
  by: number
  ttlSeconds: number
}
