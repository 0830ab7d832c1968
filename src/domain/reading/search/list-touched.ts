import { sql, type QueryExecutorProvider } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import { covers, type Deeds } from '#domain/content/statuses/deeds/kept-deeds.ts'
import type { Reader } from '#ports/ctx.ts'
import { touchedAmong } from './findable.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** Those of the ids that the viewer is named in, favourited, bookmarked or boosted: by no query, where their deeds say it. */
export async function listTouchedAmong(
  reader: Reader,
  viewerId: AccountId,
  deeds: Deeds | null,
  ids: readonly StatusId[],
): Promise<ReadonlySet<StatusId>> {
  if (ids.length === 0) return new Set()
  if (deeds) {
    const lists = [deeds.mentionedBy, deeds.favourited, deeds.bookmarked, deeds.reblogged]
    if (lists.every((list) => covers(list, ids)))
      return new Set(ids.filter((id) => lists.some((list) => list.ids.has(id))))
  }
  const { rows } = await askTouched(reader.db, viewerId, ids)
  return new Set(rows.map((row) => row.id))
}

const askTouched = keepStatement((db: QueryExecutorProvider, viewerId: AccountId, ids: readonly StatusId[]) =>
  sql<{ id: StatusId }>`${touchedAmong(viewerId, sql`${ids}::bigint[]`)}`.execute(db),
)
