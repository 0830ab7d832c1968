// What listeners do not want to meet, kept while they listen.
import type { Ctx } from '#ports/ctx.ts'
import { loadFilterMatcher } from '#domain/reading/filters/load-matcher.ts'
import type { FilterMatcher } from '#domain/reading/filters/match.ts'
import { loadViewerRules, type ViewerRules } from '#domain/reading/timelines/viewer-rules.ts'
import { chunk } from '#lib/collections.ts'
import type { AccountId } from '#lib/id.ts'

export interface Rules extends ViewerRules {
  /** Null: no filters. */
  readonly matcher: FilterMatcher | null
}

export interface RulesCache {
  /** Reads what is missing or outdated, all of it together. Who has no login any more gets no rules. */
  ensure(accountIds: Iterable<AccountId>): Promise<void>
  get(accountId: AccountId): Rules | undefined
  /** They are read again before they are next used. */
  markStale(accountId: AccountId): void
  /** All of them; those of who is gone are dropped. */
  markAllStale(isThere: (accountId: AccountId) => boolean): void
  forget(accountId: AccountId): void
}

/** Accounts whose rules are read by one query. */
const perQuery = 200

export function createRulesCache(ctx: Ctx): RulesCache {
  const known = new Map<AccountId, Rules>()
  const fresh = new Set<AccountId>()

  async function load(ids: readonly AccountId[]): Promise<void> {
    // What changes while they are read outdates them again.
    for (const id of ids) fresh.add(id)
    try {
      const found = await loadViewerRules(ctx, ids)
      for (const id of ids) {
        const rules = found.get(id)
        if (rules) known.set(id, { ...rules, matcher: await loadFilterMatcher(ctx, rules) })
        else known.delete(id)
      }
    } catch (error) {
      for (const id of ids) fresh.delete(id)
      throw error
    }
  }

  return {
    async ensure(accountIds) {
      const missing = [...new Set(accountIds)].filter((id) => !fresh.has(id))
      for (const ids of chunk(missing, perQuery)) await load(ids)
    },
    get: (accountId) => known.get(accountId),
    markStale: (accountId) => void fresh.delete(accountId),
    markAllStale(isThere) {
      fresh.clear()
      for (const id of known.keys()) if (!isThere(id)) known.delete(id)
    },
    forget(accountId) {
      known.delete(accountId)
      fresh.delete(accountId)
    },
  }
}
