import { sql, type QueryExecutorProvider } from 'kysely'
import type { RowCache } from '#ports/cache.ts'
import type { Ctx } from '#ports/ctx.ts'
import { keepStatement } from '#db/keep-statement.ts'
import { keyBy, unique } from '#lib/collections.ts'
import type { InteractionAnswer } from './interaction-groups.ts'
import { quoteAnswerForAll } from './quote-policy.ts'
import type { StatusVisibility } from './visibility.ts'
import type { AccountId, ConversationId, StatusId } from '#lib/id.ts'

/**
 * The narrow row by which a cached status is found, the same for all who see it: it changes with what people do to the
 * status, and with its version.
 */
export interface StatusLine {
  id: StatusId
  version: number
  account_id: AccountId
  reblog_of_id: StatusId | null
  conversation_id: ConversationId | null
  visibility: StatusVisibility
  local_only: boolean
  deleted: boolean
  /** What becomes of a quote by anybody but its author. Null: that depends on who it is. */
  quote_answer_for_all: InteractionAnswer | null
  /** Not everybody who sees it may answer it. */
  replies_limited: boolean
  replies_count: number
  reblogs_count: number
  favourites_count: number
  quotes_count: number
  reactions_count: number
}

/** Lines of these statuses and of what they boost, by one query when they are not all kept. Missing ones are left out. */
export async function loadStatusLines(
  { caches, db }: Ctx,
  ids: readonly StatusId[],
): Promise<Map<StatusId, StatusLine>> {
  const kept = caches.statusLines as RowCache<StatusId, StatusLine>
  return kept.getMany(withKeptOriginals(kept, ids), async (missing) => {
    const { rows } = await askLines(db, missing)
    return keyBy(rows, (row) => row.id)
  })
}

/** Who wrote them, each once. */
export const authorsOf = (lines: Iterable<StatusLine>): AccountId[] =>
  unique([...lines].map((line) => line.account_id))

/** What kept boosts boost is known: that of others is found with them. */
function withKeptOriginals(
  kept: RowCache<StatusId, StatusLine>,
  ids: readonly StatusId[],
): ReadonlySet<StatusId> {
  const all = new Set(ids)
  for (const id of ids) {
    const original = kept.peek(id)?.reblog_of_id
    if (original) all.add(original)
  }
  return all
}

/** `offset 0`: what they boost is looked up by their ids; with few boosts, the index of all boosts would be read instead. */
const askLines = keepStatement((db: QueryExecutorProvider, ids: readonly StatusId[]) =>
  sql<StatusLine>`
    select s.id, s.version, s.account_id, s.reblog_of_id, s.conversation_id, s.visibility, s.local_only,
      s.deleted_at is not null as deleted, ${quoteAnswerForAll('s')} as quote_answer_for_all,
      s.reply_automatic is not null as replies_limited,
      coalesce(t.replies_count, 0) as replies_count,
      coalesce(greatest(t.reblogs_count, t.told_reblogs_count), 0) as reblogs_count,
      coalesce(greatest(t.favourites_count, t.told_favourites_count), 0) as favourites_count,
      coalesce(t.quotes_count, 0) as quotes_count, coalesce(t.reactions_count, 0) as reactions_count
    from (select unnest(${ids}::bigint[]) as id union
      select b.reblog_of_id from unnest(${ids}::bigint[]) wanted(id)
      cross join lateral (select reblog_of_id from statuses where id = wanted.id offset 0) b
      where b.reblog_of_id is not null) w
    join statuses s on s.id = w.id
    left join status_stats t on t.status_id = s.id`.execute(db),
)
