// Reads what was posted to an inbox: JSON within bounds, and of it what every activity has.
import { hostOf, isObject, toId, typeOf, type JsonObject } from '../kit/json.ts'

/** Far more than any server nests: https://www.w3.org/TR/activitystreams-vocabulary/ needs about six levels. */
const maxDepth = 50
/** Members of one list or object. */
const maxMembers = 5_000
/** Values in all. */
const maxValues = 50_000

/** What every activity has. */
export interface ReadActivity {
  /** Its address; null when it has none, or one of a server that is not its actor's. */
  id: string | null
  type: string
  actorUri: string
  json: JsonObject
}

/**
 * The activity in a body, or null when it is none. Deeply nested and overlong JSON is none; members that would change
 * what an object inherits are left out.
 */
export function parseActivity(body: string): ReadActivity | null {
  const json = isShallow(body) ? parseJson(body) : undefined
  return isObject(json) && tidy(json) ? readActivity(json) : null
}

/** What every activity has; null when something of it is missing. */
export function readActivity(json: JsonObject): ReadActivity | null {
  const actorUri = toId(json['actor'])
  const type = typeOf(json)
  const host = actorUri === null ? null : hostOf(actorUri)
  if (actorUri === null || host === null || type === '') return null
  const id = toId(json['id'])
  return { id: id !== null && hostOf(id) === host ? id : null, type, actorUri, json }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Counts brackets outside of texts, before anything is built of them. */
function isShallow(body: string): boolean {
  if (body.length < 2 * maxDepth) return true
  let depth = 0
  for (let i = 0; i < body.length; i++) {
    const code = body.charCodeAt(i)
    if (code === 0x22) i = endOfText(body, i)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return false
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return true
}

/** The place of the quotation mark that ends the text which begins at `start`. */
function endOfText(body: string, start: number): number {
  let end = body.indexOf('"', start + 1)
  while (end > 0 && isEscaped(body, end)) end = body.indexOf('"', end + 1)
  return end < 0 ? body.length : end
}

function isEscaped(body: string, place: number): boolean {
  let before = place
  while (body.charCodeAt(before - 1) === 0x5c) before--
  return (place - before) % 2 === 1
}

/**
 * Whether all lists and objects are of a bearable size. `JSON.parse` makes `__proto__` an ordinary member, but it would
 * become the prototype of whatever it is copied to by assignment.
 */
function tidy(json: JsonObject): boolean {
  const rest: object[] = [json]
  let values = 0
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    const members: unknown[] = Array.isArray(one) ? one : Object.values(one)
    values += members.length
    if (members.length > maxMembers || values > maxValues) return false
    if (Object.hasOwn(one, '__proto__')) Reflect.deleteProperty(one, '__proto__')
    for (const member of members) if (typeof member === 'object' && member !== null) rest.push(member)
  }
  return true
}
