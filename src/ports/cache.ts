import type { AccountId, AnyId, StatusId } from '#lib/id.ts'

/**
 * What was rendered and does not depend on the viewer, by id and version: an entry is never wrong, only outdated
 * and then not asked for. Bounded; may forget at any time.
 */
export interface RenderCache<T> {
  get(id: AnyId, version: number): T | undefined
  set(id: AnyId, version: number, value: T): void
}

/** What knows how many bytes of memory it takes, about. */
export interface Weighed {
  readonly bytes: number
}

/** What was read, and with what it changes: names as `Changes` tells them. Null: it is not kept. */
export interface Reading<T> {
  readonly value: T
  readonly changesWith: readonly string[] | null
}

/**
 * What was read, by key, kept until what it depends on changes, and for a few seconds at most. A reading that was under
 * way when anything changed is not kept. Bounded; may forget at any time.
 */
export interface ReadCache<T> {
  /** What is kept, or else what `read` finds, once for all who ask meanwhile. */
  get(key: string, read: () => Promise<Reading<T>>): Promise<T>
}

/**
 * Narrow rows by id, each kept until the database tells that it changed, and for a few seconds at most. One that changed
 * while it was being read is not kept. Bounded; may forget at any time.
 */
export interface RowCache<Id extends AnyId, Row extends object> {
  /** The row, where it is kept. */
  peek(id: Id): Row | undefined
  /** These rows: what is kept of them, and what `read` finds of the rest, which is kept then with all else it finds. */
  getMany(ids: Iterable<Id>, read: (missing: readonly Id[]) => Promise<Map<Id, Row>>): Promise<Map<Id, Row>>
}

export interface Caches {
  readonly statuses: RenderCache<Weighed>
  readonly accounts: RenderCache<object>
  /** The filters of people, compiled: by account and by the version of their filters. */
  readonly filters: RenderCache<Weighed>
  /** What of statuses and accounts is the same for all who see them and changes often. */
  readonly statusLines: RowCache<StatusId, object>
  readonly accountLines: RowCache<AccountId, object>
  /** The same of people's own accounts, with what is for them alone. */
  readonly ownLines: RowCache<AccountId, object>
  /** Who calls, by the hash of the token. */
  readonly callers: ReadCache<object>
  /** What people see of their own accounts alone, by account. */
  readonly profiles: ReadCache<object>
  /** What people did lately, of those who look at one page after the other, and how often these have looked. */
  readonly deeds: RowCache<AccountId, object>
  readonly looks: RowCache<AccountId, object>
  /** How common the words of statuses are; for a minute or so. */
  readonly commonness: ReadCache<object>
  /** What all who ask without a token are told, as finished bytes. */
  readonly answers: ReadCache<object>
}
