// JSON of what was put together from parts whose JSON is known already.

const writers = new WeakMap<object, () => string>()

/**
 * Returns the object, of which `toJson` will write what `write` returns: it must be what `JSON.stringify` would. Nobody
 * may change the object afterwards; a copy is written like any other object.
 */
export function withText<T extends object>(value: T, write: () => string): T {
  writers.set(value, write)
  return value
}

/** How deep such objects are looked for: a quote in a post in a notification in a list. */
const maxDepth = 4
/** Objects with more keys are none that hold posts. */
const maxKeys = 24

/** Returns the same as `JSON.stringify`, from known parts where there are any. */
export function toJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const write = writers.get(value)
  if (write) return write()
  if (depth >= maxDepth) return JSON.stringify(value)
  if (Array.isArray(value)) return arrayToJson(value, depth)
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return JSON.stringify(value)
  const keys = Object.keys(value)
  return keys.length > maxKeys ? JSON.stringify(value) : `{${membersToJson(value, keys, depth)}}`
}

/** Lists of words and numbers are no business of ours. */
function arrayToJson(list: readonly unknown[], depth: number): string {
  if (list.length === 0 || typeof list[0] !== 'object') return JSON.stringify(list)
  return `[${list.map((item) => toJson(item, depth + 1) ?? 'null').join(',')}]`
}

/** The members of an object without its braces. What is undefined is none. */
export function membersToJson(
  object: object,
  keys: readonly string[] = Object.keys(object),
  depth = 0,
): string {
  let text = ''
  for (const key of keys) {
    const value = (object as Record<string, unknown>)[key]
    const json =
      typeof value === 'number' || typeof value === 'boolean' ? plain(value) : toJson(value, depth + 1)
    if (json === undefined) continue
    const member = `${JSON.stringify(key)}:${json}`
    text += text === '' ? member : `,${member}`
  }
  return text
}

const plain = (value: number | boolean): string =>
  typeof value === 'boolean' || Number.isFinite(value) ? String(value) : 'null'

const known = new WeakMap<object, string>()

/** The members of an object that is kept and never changes, written once. */
export function keptMembers(object: object): string {
  const text = known.get(object)
  if (text !== undefined) return text
  const made = JSON.stringify(object).slice(1, -1)
  known.set(object, made)
  return made
}
