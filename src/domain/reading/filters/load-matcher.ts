import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { compileFilters, type ActiveFilter, type FilterMatcher } from './match.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

type Owner = Pick<Viewer, 'accountId' | 'filtersVersion'>

/**
 * A person's filters ready to be applied, or null when they have none: compiled once for a version, then from the
 * cache. At most one query, and none for those who never had filters.
 */
export async function loadFilterMatcher(ctx: Ctx, viewer: Owner | null): Promise<FilterMatcher | null> {
  if (viewer === null || viewer.filtersVersion === 0) return null
  const cached = ctx.caches.filters.get(viewer.accountId, viewer.filtersVersion)
  const matcher = cached ?? compileFilters(await listActive(ctx, viewer.accountId))
  if (!cached) ctx.caches.filters.set(viewer.accountId, viewer.filtersVersion, matcher)
  return (matcher as FilterMatcher).filters.length === 0 ? null : (matcher as FilterMatcher)
}

interface Row extends Omit<ActiveFilter, 'expiresAt' | 'keywords' | 'statusIds'> {
  expires_at: Date | null
  keywords: string[]
  whole_words: boolean[]
  status_ids: StatusId[]
}

/** All in one statement: what it reads is one state, whatever is changed meanwhile. */
async function listActive(ctx: Ctx, accountId: AccountId): Promise<ActiveFilter[]> {
  const { rows } = await sql<Row>`
    select f.id, f.title, f.context, f.action, f.expires_at,
      array(select k.keyword from filter_keywords k where k.filter_id = f.id order by k.id) as keywords,
      array(select k.whole_word from filter_keywords k where k.filter_id = f.id order by k.id) as whole_words,
      array(select s.status_id from filter_statuses s where s.filter_id = f.id order by s.id) as status_ids
    from filters f
    where f.account_id = ${accountId} and (f.expires_at is null or f.expires_at > ${new Date(ctx.clock.now())})
    order by f.id`.execute(ctx.db)
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    context: row.context,
    action: row.action,
    expiresAt: row.expires_at,
    keywords: row.keywords.map((keyword, index) => ({ keyword, wholeWord: row.whole_words[index] ?? true })),
    statusIds: row.status_ids,
  }))
}
