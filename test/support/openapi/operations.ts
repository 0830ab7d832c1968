import type { Operation, Reference } from './schemas.ts'

export interface FoundOperation {
  /** 'GET /api/v1/statuses/{id}' */
  name: string
  operation: Operation
}

interface Entry extends FoundOperation {
  method: string
  segments: string[]
}

const isParameter = (segment: string | undefined): boolean => segment?.startsWith('{') === true

function matches(entry: Entry, segments: string[]): boolean {
  return (
    entry.segments.length === segments.length &&
    entry.segments.every((segment, index) => isParameter(segment) || segment === segments[index])
  )
}

/** The earlier a template has a literal where the other has a parameter, the better it fits. */
function compare(a: Entry, b: Entry): number {
  const at = a.segments.findIndex((segment, index) => isParameter(segment) !== isParameter(b.segments[index]))
  if (at === -1) return 0
  return isParameter(a.segments[at]) ? 1 : -1
}

/** HEAD answers as GET; clients send PUT where only PATCH is documented, and the server takes it. */
const standIns: Record<string, string> = { HEAD: 'GET', PUT: 'PATCH' }

/** Returns a look-up from method and URL (absolute or a path) to the reference's operation, or undefined. */
export function createOperationFinder(reference: Reference) {
  const entries: Entry[] = Object.entries(reference.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => {
      const method = verb.toUpperCase()
      return { method, segments: path.split('/').slice(1), name: `${method} ${path}`, operation }
    }),
  )
  return (method: string, url: string): FoundOperation | undefined => {
    const segments = new URL(url, 'http://localhost').pathname.split('/').slice(1)
    const candidates = entries.filter((entry) => matches(entry, segments)).toSorted(compare)
    const best = candidates.filter((entry) => compare(entry, candidates[0] ?? entry) === 0)
    return (
      best.find((entry) => entry.method === method) ?? best.find((entry) => entry.method === standIns[method])
    )
  }
}
