// JSON of what was put together from parts whose JSON is known already (docs/adr/0021).
import { lendJson, ownWriter, writeJson, type JsonWriter, type LentJson, type Writes } from './json-writer.ts'
import { openingOf } from './kept-json.ts'
import { createObjectFacts } from './object-facts.ts'

const writers = createObjectFacts<Writes>()

/**
 * Returns the object, of which `toJson` will write what `writes` says. Nobody may change the object afterwards; a copy is
 * written like any other object.
 */
export function withJson<T extends object>(value: T, writes: Writes): T {
  writers.set(value, writes)
  return value
}

const writerOf = (value: object): Writes | undefined =>
  (value as { [ownWriter]?: Writes })[ownWriter] ?? writers.get(value)

/** How deep such objects are looked for: a quote in a post in a notification in a list. */
const maxDepth = 4
/** Objects with more keys are none that hold posts. */
const maxKeys = 24

/** Returns the same as `JSON.stringify`, from known parts where there are any: then in UTF-8. */
export function toJson(value: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return writeJson((out) => writeValue(out, value, 0))
}

/** The same as text. */
export function toJsonText(value: unknown): string {
  const json = toJson(value)
  return typeof json === 'object' ? Buffer.from(json.buffer, 0, json.length).toString() : json
}

/** The same for whoever can tell when it was sent: what is long lies where it was written until then. */
export function toLentJson(value: unknown): string | Uint8Array<ArrayBuffer> | LentJson {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return lendJson((out) => writeValue(out, value, 0))
}

/** The JSON of an object, from known parts where there are any. */
export function writeValue(out: JsonWriter, value: object, depth = 0): void {
  const writer = writerOf(value)
  if (writer) return writer.writeTo(out)
  if (depth >= maxDepth) return out.text(JSON.stringify(value))
  if (Array.isArray(value)) return writeList(out, value, depth)
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value)
    return out.text(JSON.stringify(value) ?? 'null')
  const keys = Object.keys(value)
  if (keys.length > maxKeys) return out.text(JSON.stringify(value))
  out.text('{')
  writeMembers(out, value, { keys, depth })
  out.text('}')
}

/** Lists of words and numbers, and of objects that begin with one of these alone, are no business of ours. */
function writeList(out: JsonWriter, list: readonly unknown[], depth: number): void {
  if (list.length === 0) return out.text('[]')
  if (isFlat(list[0])) return out.text(JSON.stringify(list))
  let separator = '['
  for (const item of list) {
    out.text(separator)
    if (typeof item === 'object' && item !== null) writeValue(out, item, depth + 1)
    else out.text(JSON.stringify(item) ?? 'null')
    separator = ','
  }
  out.text(']')
}

/** Whether it holds no object whose JSON could be known. */
function isFlat(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return true
  if (writerOf(item) || Array.isArray(item)) return false
  return Object.values(item).every((value) => typeof value !== 'object' || value === null)
}

/** The members of an object without its braces. What is undefined is none. */
export function writeMembers(
  out: JsonWriter,
  object: object,
  { keys = Object.keys(object), depth = 0 }: { keys?: readonly string[]; depth?: number } = {},
): void {
  let separator = ''
  for (const key of keys) {
    const value = (object as Record<string, unknown>)[key]
    if (typeof value === 'object' && value !== null) {
      out.text(separator)
      out.text(nameOf(key))
      writeValue(out, value, depth + 1)
    } else {
      const json = plain(value)
      if (json === undefined) continue
      out.text(separator)
      out.text(nameOf(key))
      out.text(json)
    }
    separator = ','
  }
}

/** As `JSON.stringify`, which what is short does without. */
export function plain(value: unknown): string | undefined {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  return JSON.stringify(value)
}

const names = new Map<string, string>()
/** Names of members are few, unless somebody else chose them. */
const maxNames = 1_000

function nameOf(key: string): string {
  const known = names.get(key)
  if (known !== undefined) return known
  const name = `${JSON.stringify(key)}:`
  if (names.size < maxNames) names.set(key, name)
  return name
}

const known = createObjectFacts<Uint8Array>()

/**
 * Returns how an object begins that is kept and never changes, and of which further members follow: `{"id":"1",`. In
 * UTF-8, written once. It must have a member.
 */
export function keptOpening(object: object): Uint8Array {
  const bytes = known.get(object)
  if (bytes !== undefined) return bytes
  const made = openingOf(object)
  known.set(object, made)
  return made
}
