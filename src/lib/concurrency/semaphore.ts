// How many pieces of work are done at the same time.

export interface SemaphoreOptions {
  limit: number
  maxWaiting: number
  /** What a task is rejected with when even the queue is full. */
  full(): Error
}

/** Lets `limit` tasks run at a time and `maxWaiting` wait, in order. */
export function createSemaphore({ limit, maxWaiting, full }: SemaphoreOptions) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= limit) {
      if (waiting.length >= maxWaiting) throw full()
      // Whoever finishes hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/**
 * Does some work for each item, `max` at a time, and takes the next item only when there is room for it. Rejects with
 * the first error, once what is under way has ended; nothing new is begun then.
 */
export async function inParallel<T>(
  items: AsyncIterable<T> | Iterable<T>,
  max: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const item of items) {
    const one = work(item).catch((error: unknown) => void failures.push(error))
    const tracked = one.finally(() => running.delete(tracked))
    running.add(tracked)
    if (running.size >= max) await Promise.race(running)
    if (failures.length > 0) break
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}
