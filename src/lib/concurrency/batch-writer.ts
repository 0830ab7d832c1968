/**
 * Collects what comes in while a write is under way and hands it over together: many writers then cost little more than
 * one. The returned function resolves when its item was written, and rejects when that write failed.
 */
export function createBatchWriter<T>(
  write: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  interface Waiting {
    items: T[]
    done: PromiseWithResolvers<void>
  }
  let next: Waiting | null = null
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (next) {
      // What is called in the same turn goes along.
      await Promise.resolve()
      const { items, done } = next
      next = null
      await write(items).then(done.resolve, done.reject)
    }
    isWriting = false
  }

  return (item) => {
    next ??= { items: [], done: Promise.withResolvers<void>() }
    next.items.push(item)
    const { promise } = next.done
    if (!isWriting) void writeAll()
    return promise
  }
}
