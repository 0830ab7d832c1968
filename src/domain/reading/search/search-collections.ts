import { sql, type QueryExecutorProvider } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { Reader } from '#ports/ctx.ts'
import { loadCollections, type CollectionRow } from '#domain/reading/collections/queries.ts'
import { notFilteredFor } from '#domain/social/relationships/rules.ts'
import { compareIds } from '#lib/ids.ts'
import type { AccountId, CollectionId } from '#lib/id.ts'

export interface CollectionSearch {
  /** The beginnings of words of a name. */
  text: string
  limit: number
  offset: number
}

const maxWords = 6
/** Collections that are looked at. */
const maxCandidates = 400

/**
 * Collections that may be discovered, by their names, newest first. Left out are those of people who are gone, limited,
 * or hidden from the viewer or by them: `avoiderId`, null where there are no such people.
 */
export async function searchCollections(
  reader: Reader,
  avoiderId: AccountId | null,
  search: CollectionSearch,
): Promise<CollectionRow[]> {
  const words = search.text.split(/[^\p{L}\p{M}\p{N}_]+/u).filter((word) => word !== '')
  if (words.length === 0) return []
  const { rows } = await askNamed(
    reader.db,
    avoiderId,
    new Date(reader.clock.now()),
    search.limit,
    search.offset,
    ...words.slice(0, maxWords),
  )
  const found = await loadCollections(
    reader,
    avoiderId,
    rows.map((row) => row.id),
  )
  return found.toSorted((a, b) => compareIds(b.id, a.id))
}

type SearchArguments = [
  avoiderId: AccountId | null,
  now: Date,
  limit: number,
  offset: number,
  ...words: string[],
]

const askNamed = keepStatement(
  (db: QueryExecutorProvider, ...[avoiderId, now, limit, offset, ...words]: SearchArguments) => {
    // A subquery is worked out once, not for every name.
    const begins = words.map(
      (word) =>
        sql`search_name(c.name) like (select '%' || replace(search_name(${word}), '_', '\\_') || '%')`,
    )
    return sql<{ id: CollectionId }>`
    select m.id from (
      select c.id, c.account_id from collections c
      where c.discoverable and ${sql.join(begins, sql` and `)} limit ${sql.lit(maxCandidates)}) m
    join accounts a on a.id = m.account_id
    where a.silenced_at is null and ${notFilteredFor(avoiderId, 'a', now)}
    order by m.id desc limit ${limit} offset ${offset}`.execute(db)
  },
)
