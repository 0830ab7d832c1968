// Shapes of paths: two paths have the same one when no route can tell them apart but by the values of its parameters.

/** What routes look for in one segment of a path. */
interface Level {
  literals: Set<string>
  patterns: RegExp[]
}

export interface Shapes {
  /** Takes a route's path in Hono's form. Returns its parameters, each with the index of its segment. */
  add(path: string): (readonly [name: string, index: number])[]
  /** Null for a path below a route whose parameter may span segments, and for one that is longer than any route. */
  of(segments: readonly string[]): string | null
}

export function createShapes(): Shapes {
  const levels: Level[] = []
  /** What paths begin with of which a parameter may be of several segments. */
  const spanned: string[][] = []
  return {
    add(path) {
      const parts = splitRoute(path)
      const end = parts.findIndex((part) => !isOneSegment(part))
      if (end !== -1) spanned.push(parts.slice(0, end))
      return parts.flatMap((part, index) => {
        const level = (levels[index] ??= { literals: new Set(), patterns: [] })
        const [, name, pattern] = parameter.exec(part) ?? []
        if (name === undefined) level.literals.add(part)
        if (pattern !== undefined) addPattern(level.patterns, new RegExp(`^(?:${pattern})$`))
        return name === undefined ? [] : [[name, index] as const]
      })
    },
    of(segments) {
      if (segments.length > levels.length) return null
      if (spanned.some((prefix) => prefix.every((part, index) => matches(part, segments[index])))) return null
      let shape = ''
      for (let n = 0; n < segments.length; n++) shape += `/${shapeOf(levels[n] as Level, segments[n] ?? '')}`
      return shape
    },
  }
}

function addPattern(patterns: RegExp[], pattern: RegExp): void {
  if (!patterns.some(({ source }) => source === pattern.source)) patterns.push(pattern)
}

const parameter = /^:([^{}]+)(?:\{(.+)\})?$/

/** Segments of a route: a pattern may have a slash in it. */
function splitRoute(path: string): string[] {
  const rooted = path.startsWith('/') ? path : `/${path}`
  return (rooted.match(/\/(?:\{[^}]+\}|[^/{])*/g) ?? []).map((part) => part.slice(1))
}

/** Whether what this matches is one segment in any case, and follows from that segment alone. */
function isOneSegment(part: string): boolean {
  const pattern = parameter.exec(part)?.[2]
  if (pattern === undefined) return part === '*' || !/[*?{}]/.test(part)
  const rest = pattern.replaceAll('\\.', '').replaceAll(/\[\^[^\]\\]*\/[^\]\\]*\]|\[[^\]^/\\]+\]/g, '')
  return !/[.[\]\\/^$|?*]/.test(rest)
}

/** Of a part before one that may span segments: a parameter may be anything. */
const matches = (part: string, segment: string | undefined): boolean =>
  part === segment || part.startsWith(':') || part === '*'

/** A segment that some route names is itself; of others counts which patterns they match. */
function shapeOf({ literals, patterns }: Level, segment: string): string {
  if (segment === '' || literals.has(segment)) return segment
  let bits = 1
  for (const pattern of patterns) bits = bits * 2 + Number(pattern.test(segment))
  return `:${bits}`
}
