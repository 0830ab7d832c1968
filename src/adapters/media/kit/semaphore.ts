import { unavailable } from '#lib/errors.ts'

/**
 * Lets `limit` tasks run at a time and `maxWaiting` wait, in order. Rejects with AppError `unavailable` when even
 * the queue is full.
 */
export function createSemaphore({ limit, maxWaiting }: { limit: number; maxWaiting: number }) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= limit) {
      if (waiting.length >= maxWaiting) throw unavailable('too_many_files_processing')
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
