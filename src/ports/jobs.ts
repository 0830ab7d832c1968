export interface JobOptions {
  /** Of those with one key, no more than one waits. */
  key?: string
  runAt?: Date
  maxAttempts?: number
  /** Those of one queue run one after the other. */
  queue?: string
  /** Nobody waits for it: it comes after others, and such jobs never take all that run jobs. */
  background?: boolean
}

/** Durable work in the database's queue. */
export interface Jobs {
  /** Adds a job outside any transaction: what must happen with a change is an event instead. */
  add(name: string, payload: object, options?: JobOptions): Promise<void>
  /** Whether a job that was added with this key waits or runs; one that was given up does neither. */
  isPending(key: string): Promise<boolean>
}
