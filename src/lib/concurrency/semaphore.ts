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
