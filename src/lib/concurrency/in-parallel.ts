/**
 * Does some work for each item, `most` at a time, and takes the next item only when there is room for it. Rejects with
 * the first error, once what is under way has ended; nothing new is begun then.
 */
export async function inParallel<T>(
  items: AsyncIterable<T> | Iterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const item of items) {
    const one = work(item).catch((error: unknown) => void failures.push(error))
    const tracked = one.finally(() => running.delete(tracked))
    running.add(tracked)
    if (running.size >= most) await Promise.race(running)
    if (failures.length > 0) break
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}
