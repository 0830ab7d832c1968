import type { RenderCache } from '#ports/cache.ts'
import type { AnyId } from '#lib/id.ts'

/** What is asked for: by its version an outdated entry of the cache is told from a fresh one. */
export interface Versioned<Id extends AnyId> {
  id: Id
  version: number
}

/** Rendered parts by id: from the cache, those it lacks by one call of `render`, which are then kept. */
export async function hydrateCached<Id extends AnyId, Kept extends object, T extends Kept>(
  cache: RenderCache<Kept>,
  lines: Iterable<Versioned<Id>>,
  render: (ids: readonly Id[]) => Promise<readonly (readonly [Versioned<Id>, T])[]>,
): Promise<Map<Id, T>> {
  const found = new Map<Id, T>()
  const missing: Id[] = []
  for (const { id, version } of lines) {
    const cached = cache.get(id, version)
    if (cached) found.set(id, cached as T)
    else missing.push(id)
  }
  if (missing.length === 0) return found
  for (const [{ id, version }, rendered] of await render(missing)) {
    cache.set(id, version, rendered)
    found.set(id, rendered)
  }
  return found
}
