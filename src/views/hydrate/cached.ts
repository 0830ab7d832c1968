import type { RenderCache } from '#ports/cache.ts'
import type { AnyId } from '#lib/id.ts'

/** What is asked for: by its version an outdated entry of the cache is told from a fresh one. */
export interface Versioned<Id extends AnyId> {
  id: Id
  version: number
}

/**
 * Rendered parts by id: from the cache, those it lacks by one call of `render`, which are then kept, unless they show
 * more than their own row, whose version says nothing of the rest.
 */
export async function hydrateCached<
  Id extends AnyId,
  Row extends Versioned<Id>,
  Kept extends object,
  T extends Kept,
>(
  cache: RenderCache<Kept>,
  lines: Iterable<Versioned<Id>>,
  render: (ids: readonly Id[]) => Promise<readonly (readonly [Row, T])[]>,
  showsMore: (row: Row) => boolean = () => false,
): Promise<Map<Id, T>> {
  const found = new Map<Id, T>()
  const missing: Id[] = []
  for (const { id, version } of lines) {
    const cached = cache.get(id, version)
    if (cached) found.set(id, cached as T)
    else missing.push(id)
  }
  if (missing.length === 0) return found
  for (const [row, rendered] of await render(missing)) {
    if (!showsMore(row)) cache.set(row.id, row.version, rendered)
    found.set(row.id, rendered)
  }
  return found
}
