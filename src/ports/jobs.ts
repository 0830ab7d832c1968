/** Durable work in the database's queue. */
export interface Jobs {
  /**
   * Adds a job outside any transaction: what must happen with a change is an event instead. Those of one `queue` run
   * one after the other.
   */
  add(
    name: string,
    payload: object,
    options?: { key?: string; runAt?: Date; maxAttempts?: number; queue?: string },
  ): Promise<void>
  /** Whether a job that was added with this key waits or runs; one that was given up does neither. */
  isPending(key: string): Promise<boolean>
}
