import type { Id } from '#db/schema/types.ts'

/**
 * What was rendered and does not depend on the viewer, by id and version: an entry is never wrong, only outdated
 * and then not asked for. Bounded; may forget at any time.
 */
export interface RenderCache<T> {
  get(id: Id, version: number): T | undefined
  set(id: Id, version: number, value: T): void
}

/** What knows how many bytes of memory it takes, about. */
export interface Weighed {
  readonly bytes: number
}

export interface Caches {
  readonly statuses: RenderCache<object>
  readonly accounts: RenderCache<object>
  /** The filters of people, compiled: by account and by the version of their filters. */
  readonly filters: RenderCache<Weighed>
}
