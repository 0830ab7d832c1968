import type { Config, Reader } from '#ports/ctx.ts'

/**
 * A value that is read again when it is older than `lifetime` milliseconds by the reader's clock, which may follow from
 * the value. Those who ask while it is being read wait for the same reading; a failed one is forgotten. Each server in a
 * process has its own.
 */
export function createTimed<T>(
  lifetime: number | ((value: T) => number),
  read: (reader: Reader) => Promise<T>,
): (reader: Reader) => Promise<T> {
  const kept = new WeakMap<Config, { readAt: number; lifetime: number; value: Promise<T> }>()
  return (reader) => {
    const now = reader.clock.now()
    const known = kept.get(reader.config)
    if (known && Math.abs(now - known.readAt) < known.lifetime) return known.value
    const made = {
      readAt: now,
      lifetime: typeof lifetime === 'number' ? lifetime : Infinity,
      value: read(reader),
    }
    kept.set(reader.config, made)
    made.value
      .then((value) => {
        if (typeof lifetime !== 'number') made.lifetime = lifetime(value)
      })
      .catch(() => {
        if (kept.get(reader.config) === made) kept.delete(reader.config)
      })
    return made.value
  }
}
