function Bare(): void {}
Bare.prototype = Object.freeze(Object.create(null))

/**
 * A new object that inherits nothing. `Object.create(null)` makes one whose every name is looked up in a table of its own,
 * and takes four times as long.
 */
export const bare = <T extends object>(): T => new (Bare as unknown as new () => T)()

/** Items by key; within a group they keep their order, and groups come in the order of their first item. */
export function groupBy<Item, Key>(items: Iterable<Item>, key: (item: Item) => Key): Map<Key, Item[]> {
  return Map.groupBy(items, key)
}

/** One item per key; the last one wins when a key occurs twice. */
export function keyBy<Item, Key>(items: Iterable<Item>, key: (item: Item) => Key): Map<Key, Item> {
  const map = new Map<Key, Item>()
  for (const item of items) map.set(key(item), item)
  return map
}

/** The items without repetitions, first occurrences kept in order. `key` says what makes two items the same. */
export function unique<Item>(items: Iterable<Item>, key?: (item: Item) => unknown): Item[] {
  if (!key) return [...new Set(items)]
  const seen = new Set<unknown>()
  const kept: Item[] = []
  for (const item of items) {
    const value = key(item)
    if (seen.has(value)) continue
    seen.add(value)
    kept.push(item)
  }
  return kept
}

/** The items in slices of `size`, the last one possibly shorter. Throws RangeError when size is not at least 1. */
export function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  if (!Number.isInteger(size) || size < 1) throw new RangeError(`chunk size must be at least 1, not ${size}`)
  const chunks: Item[][] = []
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size))
  return chunks
}

/** Whether `value` is one of the listed ones; narrows its type to them. */
export function isOneOf<const Option>(options: readonly Option[], value: unknown): value is Option {
  return (options as readonly unknown[]).includes(value)
}

/** What a map has for a key that may be missing. */
export function valueOf<K, T>(map: ReadonlyMap<K, T>, key: K | null | undefined): T | undefined {
  return key === null || key === undefined ? undefined : map.get(key)
}

/** The values of `keys` in their order; what is not there is left out. */
export function pick<K, T>(keys: readonly K[], map: ReadonlyMap<K, T>): T[] {
  const found: T[] = []
  for (const key of keys) {
    const value = map.get(key)
    if (value !== undefined) found.push(value)
  }
  return found
}
