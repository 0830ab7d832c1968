/** Deeper than anything that is sent, and far from the end of the stack. */
const deepest = 200

/**
 * JSON in its one canonical spelling (RFC 8785). Members that are undefined are left out, as JSON.stringify does.
 * Throws a TypeError for what has none: numbers that are not finite, halves of surrogate pairs, nesting beyond 200.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > deepest) throw new TypeError('nested too deeply')
  if (typeof value === 'string') return canonicalString(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('not a number of JSON')
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? notJson()
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    // By UTF-16 code units, which is how strings compare.
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${canonicalString(name)}:${canonicalJson(member, depth + 1)}`)
  return `{${members.join(',')}}`
}

function canonicalString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('half of a surrogate pair')
  return JSON.stringify(text)
}

function notJson(): never {
  throw new TypeError('not a value of JSON')
}
