import type { Log } from '#ports/log.ts'

/** Work that is done in the order in which it came; what waits is done together. */
export interface BatchQueue<T> {
  push(item: T): void
}

export interface BatchQueueOptions<T> {
  name: string
  /** What fails is logged and lost. */
  work(items: readonly T[]): Promise<void>
  log: Log
  /** Items taken together at most. */
  max: number
  /** Items that may wait; what comes then is lost, so that a slow database does not fill the memory. */
  capacity: number
}

export function createBatchQueue<T>({ name, work, log, max, capacity }: BatchQueueOptions<T>): BatchQueue<T> {
  let waiting: T[] = []
  let running = false
  let lost = 0

  async function run(): Promise<void> {
    running = true
    while (waiting.length > 0) {
      // What comes in the same turn is taken together.
      await new Promise(setImmediate)
      const items = waiting.slice(0, max)
      waiting = waiting.slice(max)
      try {
        await work(items)
      } catch (error) {
        log.error({ err: error, queue: name, items: items.length }, 'events of streams are lost')
      }
      if (lost > 0) log.warn({ queue: name, lost }, 'streams cannot keep up: events are lost')
      lost = 0
    }
    running = false
  }

  return {
    push(item) {
      if (waiting.length >= capacity) {
        lost++
        return
      }
      waiting.push(item)
      if (!running) void run()
    },
  }
}
