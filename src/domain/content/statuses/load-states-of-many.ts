import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { loadLinesOfAll } from '#domain/identity/accounts/load.ts'
import { authorsOf, loadStatusLines } from './load-lines.ts'
import type { StatusState, ViewerMarks } from './load-viewer-state.ts'
import { quoteAnswerFor } from './quote-policy.ts'
import { replyAnswerFor } from './reply-policy.ts'
import { visibleTo } from './visibility.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** What one viewer sees. */
export interface ViewerStates {
  filtersVersion: number
  states: Map<StatusId, StatusState>
}

interface ManyRow extends ViewerMarks {
  id: StatusId
  viewer_id: AccountId
  filters_version: number
}

/** What `loadStatusStates` finds, for many viewers at once, by account: those who have no login are left out. */
export async function loadStatusStatesOfMany(
  ctx: Ctx,
  viewerIds: readonly AccountId[],
  ids: readonly StatusId[],
): Promise<Map<AccountId, ViewerStates>> {
  const lines = await loadStatusLines(ctx, ids)
  const [authors, rows] = await Promise.all([
    loadLinesOfAll(ctx, authorsOf(lines.values())),
    askMany(ctx, viewerIds, [...lines.keys()]),
  ])
  const found = new Map<AccountId, ViewerStates>()
  for (const { id, viewer_id: viewerId, filters_version: filtersVersion, ...marks } of rows) {
    const line = lines.get(id)
    const author = line && authors.get(line.account_id)
    if (!author) continue
    const known = found.get(viewerId) ?? { filtersVersion, states: new Map() }
    known.states.set(id, { line, author, marks })
    found.set(viewerId, known)
  }
  return found
}

/**
 * What all of them did is read once and kept in a hash, which costs a tenth of a look-up for each of a thousand. `offset
 * 0` makes one index look-up a status of the rest.
 */
async function askMany(
  ctx: Ctx,
  viewerIds: readonly AccountId[],
  ids: readonly StatusId[],
): Promise<ManyRow[]> {
  const viewer = sql<AccountId>`v.account_id`
  const original: RawBuilder<unknown> = sql`(v.account_id, coalesce(s.reblog_of_id, s.id))`
  const wanted = sql`any(${ids}::bigint[])`
  const viewers = sql`any(${viewerIds}::bigint[])`
  const { rows } = await sql<ManyRow>`
    select s.id, v.account_id as viewer_id, v.filters_version,
      ${original} in (select f.account_id, f.status_id from favourites f
        where f.status_id = ${wanted} and f.account_id = ${viewers}) as favourited,
      ${original} in (select b.account_id, b.reblog_of_id from statuses b
        where b.reblog_of_id = ${wanted} and b.account_id = ${viewers} and b.deleted_at is null) as reblogged,
      ${original} in (select k.account_id, k.status_id from bookmarks k
        where k.status_id = ${wanted} and k.account_id = ${viewers}) as bookmarked,
      (v.account_id, s.conversation_id) in (select c.account_id, c.conversation_id from conversation_mutes c
        where c.account_id = ${viewers} and c.conversation_id = any(
          array(select m.conversation_id from statuses m where m.id = ${wanted}))) as muted,
      (s.account_id = v.account_id and exists (
        select 1 from status_pins p where p.status_id = s.id offset 0)) as pinned,
      ${quoteAnswerFor(viewer, 's')} as quote_answer, ${replyAnswerFor(viewer, 's')} as reply_answer
    from users v cross join statuses s join accounts a on a.id = s.account_id
    where v.account_id = ${viewers} and s.id = ${wanted} and ${visibleTo(viewer, 's', 'a')}`.execute(ctx.db)
  return rows
}
