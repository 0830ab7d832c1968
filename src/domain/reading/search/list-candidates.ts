// Statuses that match a query and that the viewer may perhaps find, newest first, by the index of documents.
import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { Reader } from '#ports/ctx.ts'
import { compareIds } from '#lib/ids.ts'
import { quoteEntry } from './document.ts'
import { touchedAmong, touchedBetween } from './findable.ts'
import { authorMark, hasMark, openMark, stretches } from './marks.ts'
import type { SearchPlan } from './plan-query.ts'
import type { AccountId, IdCursor, StatusId } from '#lib/id.ts'

export interface Search {
  reader: Reader
  viewerId: AccountId
  plan: SearchPlan
}

export interface Candidates {
  ids: StatusId[]
  /** There may be more below this id; null: these are all. */
  end: IdCursor | null
}

/** So many matches are not worth being told apart. */
const few = 60
/** Of so many statuses it is cheaper to look at each than to look through all that match. */
const fewTouched = 3000

/** All that match and that the viewer may perhaps find, when few match at all; else null. */
export async function listFew(search: Search): Promise<StatusId[] | null> {
  const { reader, viewerId, plan } = search
  if (!plan.anchored) return null
  const { rows } = await askFew(reader.db, viewerId, ...stretchesOf(plan, plan.conditions, few))
  if (rows.length >= few) return null
  return rows.flatMap(({ id, near }) => (near ? id : [])).toSorted(newestFirst)
}

/** The newest that are open to everybody's search, at most `max`. */
export async function listOpen(search: Search, max: number): Promise<Candidates> {
  return cut(await listMatches(search, { mark: openMark }, max), max)
}

/** The newest that the viewer wrote or had to do with, at most twice `max`. */
export async function listMine(search: Search, max: number): Promise<Candidates> {
  const [own, touched] = await Promise.all([
    listMatches(search, { mark: authorMark(search.viewerId) }, max).then((ids) => cut(ids, max)),
    listTouched(search, max),
  ])
  const ends = [own.end, touched.end].filter((end) => end !== null)
  const end = ends.toSorted(compareIds).at(-1) ?? null
  return { ids: [...own.ids, ...touched.ids], end }
}

const cut = (ids: StatusId[], max: number): Candidates => ({
  ids,
  end: ids.length < max ? null : (ids.at(-1) as IdCursor),
})

/** What the viewer was named in, favourited, bookmarked, boosted or voted in. */
async function listTouched(search: Search, max: number): Promise<Candidates> {
  const { reader, viewerId, plan } = search
  const { rows } = await sql<{ id: StatusId }>`
    select t.id from (${touchedBetween(viewerId, plan)}) t order by t.id desc limit ${fewTouched}`.execute(
    reader.db,
  )
  const isWhole = rows.length < fewTouched
  // Without anything that only some have, nearly all match, and the newest are enough.
  if (!isWhole && plan.anchored) return cut(await listMatches(search, { touched: true }, max), max)
  const ids = await filterMatching(search, [...new Set(rows.map((row) => row.id))], max)
  if (ids.length >= max) return cut(ids, max)
  return { ids, end: isWhole ? null : (rows.at(-1)?.id ?? null) }
}

/** Those of the ids, newest first, that match. */
async function filterMatching(
  { reader, plan }: Search,
  ids: readonly StatusId[],
  max: number,
): Promise<StatusId[]> {
  if (ids.length === 0) return []
  const matches =
    plan.conditions.length === 0 ? sql`true` : sql`d.document @@ ${plan.conditions.join(' & ')}::tsquery`
  const { rows } = await sql<{ id: StatusId }>`
    select d.status_id as id from status_search d
    where d.status_id = any(${ids}::bigint[]) and ${matches} and ${outside(...gapsOf(plan))}
    order by d.status_id desc limit ${max}`.execute(reader.db)
  return rows.map((row) => row.id)
}

/** Those with a mark, or those that the viewer had to do with. */
type Kind = { mark: string } | { touched: true }

/**
 * The newest statuses of a kind that match. The stretches are read one after the other, only as far as it takes to find
 * enough: a nested loop hands them out in their order. None is read that ended before the oldest status. `+ 0` keeps the
 * database from walking through the ids in search of matches.
 */
async function listMatches(search: Search, kind: Kind, max: number): Promise<StatusId[]> {
  const { reader, viewerId, plan } = search
  const conditions = [...plan.conditions, ...('mark' in kind ? [quoteEntry(kind.mark)] : [])]
  const stretched = stretchesOf(plan, conditions, max)
  // `is true` makes it a test of each match. Else the database would begin with the many that the viewer touched.
  const { rows } =
    'touched' in kind
      ? await selectMatches(
          stretched,
          sql`(d.status_id in (select t.id from (${touchedBetween(viewerId, plan)}) t)) is true`,
        ).execute(reader.db)
      : await askMatches(reader.db, ...stretched)
  return rows.map((row) => row.id).toSorted(newestFirst)
}

export const newestFirst = (a: StatusId, b: StatusId) => compareIds(b, a)

type Gap = readonly IdCursor[] | null
type Stretches = [
  queries: readonly string[],
  highs: readonly IdCursor[],
  low: IdCursor,
  max: number,
  gapsFrom: Gap,
  gapsTo: Gap,
]

function stretchesOf(plan: SearchPlan, conditions: readonly string[], max: number): Stretches {
  const parts = stretches(plan)
  const queries = parts.map(({ marks }) => {
    const within = marks.length > 0 ? [`(${marks.map(quoteEntry).join(' | ')})`] : []
    return [...conditions, ...within].join(' & ')
  })
  return [queries, parts.map((part) => part.high), plan.low, max, ...gapsOf(plan)]
}

const askMatches = keepStatement((db: QueryExecutorProvider, ...stretched: Stretches) =>
  selectMatches(stretched, sql`true`).execute(db),
)

/**
 * Of each that matches, whether the viewer may perhaps find it (`near`): it is open to everybody's search, they wrote it
 * or had to do with it, or there is a poll in which they may have voted.
 */
const askFew = keepStatement((db: QueryExecutorProvider, viewerId: AccountId, ...stretched: Stretches) =>
  sql<{ id: StatusId; near: boolean }>`
    with matches as materialized (${selectMatches(
      stretched,
      sql`true`,
      sql`(d.open or d.account_id = ${viewerId} or d.document @@ ${sql.lit(quoteEntry(hasMark('poll')))}::tsquery) is true`,
    )})
    select m.id, m.near or m.id = any(array(
      ${touchedAmong(viewerId, sql`array(select id from matches where not near)`)})) as near
    from matches m`.execute(db),
)

function selectMatches(
  [queries, highs, low, max, gapsFrom, gapsTo]: Stretches,
  touched: RawBuilder<unknown>,
  near: RawBuilder<unknown> = sql`true`,
) {
  return sql<{ id: StatusId; near: boolean }>`
    select h.id, h.near from unnest(${queries}::text[], ${highs}::bigint[]) w (query, high)
    cross join lateral (
      select d.status_id as id, ${near} as near from status_search d
      where w.high > (select min(status_id) from status_search)
        and d.document @@ w.query::tsquery and d.status_id + 0 < w.high and d.status_id + 0 >= ${low}::bigint
        and ${outside(gapsFrom, gapsTo)} and ${touched}
      order by d.status_id + 0 desc limit ${max}) h
    limit ${max}`
}

/** Where the times begin and end that a search leaves out. */
const gapsOf = ({ without }: SearchPlan): [from: Gap, to: Gap] =>
  without.length === 0 ? [null, null] : [without.map((gap) => gap.low), without.map((gap) => gap.high)]

function outside(gapsFrom: Gap, gapsTo: Gap): RawBuilder<boolean> {
  if (gapsFrom === null || gapsTo === null) return sql`true`
  return sql`not exists (
    select 1 from unnest(${gapsFrom}::bigint[], ${gapsTo}::bigint[]) r (low, high)
    where d.status_id >= r.low and d.status_id < r.high)`
}
