// Statuses that match a query and that the viewer may perhaps find, newest first, by the index of documents.
import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import { keepStatement, type Flag } from '#db/keep-statement.ts'
import type { Reader } from '#ports/ctx.ts'
import type { Deeds } from '#domain/content/statuses/deeds/kept-deeds.ts'
import { compareIds, timeToId } from '#lib/ids.ts'
import { quoteEntry } from './document.ts'
import { touchedBetween } from './findable.ts'
import { listTouchedAmong } from './list-touched.ts'
import { authorMark, hasMark, openMark, stretches } from './marks.ts'
import type { Scope } from './parse-query.ts'
import type { SearchPlan } from './plan-query.ts'
import type { AccountId, IdCursor, StatusId } from '#lib/id.ts'

export interface Search {
  reader: Reader
  viewerId: AccountId
  /** What the viewer did lately, if that is kept. */
  deeds: Deeds | null
  plan: SearchPlan
}

export interface Candidates {
  ids: StatusId[]
  /** There may be more below this id; null: these are all. */
  end: IdCursor | null
}

/** It is as well to look at each of so many matches. */
const few = 240
/**
 * Of the newest that match so many are looked at, whoever may find them: a library has hardly any of them. Further back,
 * those are looked for that the viewer may find.
 */
const maxNear = { all: 120, public: 120, library: 60 } as const satisfies Record<Scope, number>
/** Of so many statuses it is cheaper to look at each than to look through all that match. */
const fewTouched = 3000

/** Of the newest that match, whoever may find them, those that the viewer may perhaps find. */
export async function listNear(search: Search): Promise<Candidates> {
  const { reader, viewerId, deeds } = search
  const { rows, max } = await askNear(search)
  const matches = rows.toSorted((a, b) => newestFirst(a.id, b.id))
  const { end } = cut(
    matches.map((match) => match.id),
    max,
  )
  const others = matches.flatMap(({ id, near }) => (near ? [] : id))
  const touched = await listTouchedAmong(reader, viewerId, deeds, others)
  return { ids: matches.flatMap(({ id, near }) => (near || touched.has(id) ? id : [])), end }
}

/** Where only few are expected, all of them are read at once: with marks of time, each would cost a look at those. */
async function askNear({ reader, viewerId, plan }: Search) {
  if (plan.expected > few) {
    const max = maxNear[plan.scope]
    const { rows } = await askNearByStretch(reader.db, viewerId, ...stretchesOf(plan, plan.conditions, max))
    return { rows, max }
  }
  const max = 2 * few
  const query = plan.conditions.join(' & ')
  const { rows } = await askAllNear(reader.db, viewerId, query, plan.low, plan.high, max, ...gapsOf(plan))
  return { rows, max }
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

/** The newest statuses of a kind that match, at most `max`. */
async function listMatches(search: Search, kind: Kind, max: number): Promise<StatusId[]> {
  const { reader, viewerId, plan } = search
  const conditions = [...plan.conditions, ...('mark' in kind ? [quoteEntry(kind.mark)] : [])]
  const stretched = stretchesOf(plan, conditions, max)
  // `is true` makes it a test of each match. Else the database would begin with the many that the viewer touched.
  const { rows } =
    'touched' in kind
      ? await selectMatches(stretched, {
          touched: sql`(d.status_id in (select t.id from (${touchedBetween(viewerId, plan)}) t)) is true`,
        }).execute(reader.db)
      : await askMatches(reader.db, ...stretched)
  return rows.map((row) => row.id).toSorted(newestFirst)
}

export const newestFirst = (a: StatusId, b: StatusId) => compareIds(b, a)

type Gap = readonly IdCursor[] | null
type Stretches = [
  high: IdCursor,
  now: IdCursor,
  /** What the index says is looked at again, which leaves out many: no stretch is left out for having had few. */
  rechecked: Flag,
  /** By stretch, the newest first. */
  queries: readonly string[],
  lows: readonly IdCursor[],
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
  const rechecked = conditions.some((condition) => / <\d+> /.test(condition)) ? 'phrases' : null
  return [
    plan.high,
    timeToId(plan.now),
    rechecked,
    queries,
    parts.map((part) => part.low),
    max,
    ...gapsOf(plan),
  ]
}

const askMatches = keepStatement((db: QueryExecutorProvider, ...stretched: Stretches) =>
  selectMatches(stretched, {}).execute(db),
)

/** Open to everybody's search, written by the viewer, or with a poll in which they may have voted. */
const isNear = (viewerId: AccountId) =>
  sql`(d.open or d.account_id = ${viewerId} or d.document @@ ${sql.lit(quoteEntry(hasMark('poll')))}::tsquery) is true`

interface MatchRow {
  id: StatusId
  near: boolean
}

const askNearByStretch = keepStatement(
  (db: QueryExecutorProvider, viewerId: AccountId, ...stretched: Stretches) =>
    selectMatches(stretched, { near: isNear(viewerId) }).execute(db),
)

type AllArguments = [
  viewerId: AccountId,
  query: string,
  low: IdCursor,
  high: IdCursor,
  max: number,
  gapsFrom: Gap,
  gapsTo: Gap,
]

const askAllNear = keepStatement(
  (db: QueryExecutorProvider, ...[viewerId, query, low, high, max, gapsFrom, gapsTo]: AllArguments) =>
    sql<MatchRow>`
    select d.status_id as id, ${isNear(viewerId)} as near from status_search d
    where d.document @@ ${query}::tsquery and d.status_id + 0 < ${high}::bigint and d.status_id + 0 >= ${low}::bigint
      and ${outside(gapsFrom, gapsTo)}
    order by d.status_id + 0 desc limit ${max}`.execute(db),
)

/**
 * The stretches are read one after the other, the newest first, only as far as it takes to find enough, and none that is
 * older than the oldest status. Each is four times as long as the one before it: where one had hardly any matches, the next
 * ones are left out, and that after them is read with theirs; and where no more than a few are to be expected of all the
 * rest, that is read at once, because each match costs a look at every mark. Of those that were touched, and of phrases,
 * it is not known how many have to be looked at. `+ 0` keeps the database from walking through the ids in search of matches.
 */
function selectMatches(
  [high, now, rechecked, queries, lows, max, gapsFrom, gapsTo]: Stretches,
  { touched, near = sql`true` }: { touched?: RawBuilder<unknown>; near?: RawBuilder<unknown> },
) {
  const last = sql`cardinality(${queries}::text[])`
  const low = sql`(${lows}::bigint[])[w.place]`
  const oldest = sql`(select min(status_id) from status_search)`
  const left = sql`(${low} - ${oldest})::float8`
  const read = sql`(least(w.high, ${now}::bigint) - ${low})::float8`
  const next =
    touched || rechecked !== null
      ? sql`w.place + 1`
      : sql`case
        when w.place = ${last} then w.place + 1
        when (h.count + 1) * ${left} <= ${sql.lit(few)} * ${read} then ${last}
        else least(w.place + case when h.count < 4 then 3 when h.count < 16 then 2 else 1 end, ${last}) end`
  return sql<MatchRow>`
    with recursive stretches (place, high, ids, nears, total) as (
      select 1, ${high}::bigint, '{}'::bigint[], '{}'::boolean[], 0
      union all
      select ${next}, ${low}, h.ids, h.nears, w.total + h.count
      from stretches w
      cross join lateral (
        select count(*)::int as count, array_agg(m.id order by m.id desc) as ids, array_agg(m.near order by m.id desc) as nears
        from (
          select d.status_id as id, ${near} as near from status_search d
          where d.document @@ (${queries}::text[])[w.place]::tsquery
            and d.status_id + 0 < w.high and d.status_id + 0 >= ${low}
            and ${outside(gapsFrom, gapsTo)} and ${touched ?? sql`true`}
          order by d.status_id + 0 desc limit ${max}) m) h
      where w.place <= ${last} and w.total < ${max} and w.high > ${oldest})
    select u.id, u.near from stretches w cross join lateral unnest(w.ids, w.nears) u (id, near) limit ${max}`
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
