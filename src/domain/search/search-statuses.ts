import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import type { Viewer } from '#domain/accounts/viewer.ts'
import { compareIds } from '#lib/ids.ts'
import { quoteEntry } from './document.ts'
import { findableBy, libraryOf } from './findable.ts'
import { openMark, stretches } from './marks.ts'
import { planQuery, type SearchPlan, type StatusSearch } from './plan-query.ts'

/** Candidates that are read at first; each further time they are as many times more. */
const firstLook = 200
const growth = 3
/** How often further ones are read: whoever blocks thousands who write of nothing else gets a short page. */
const maxLooks = 6
/** Pages end here. */
const maxDepth = 4000

/**
 * Ids of statuses that the viewer may find by a query (operators: parse-query.ts), newest first: those of their library,
 * and public ones of people who want to be found. A few statements, which read no more than the newest matches need.
 * Throws `invalid` for a date that is none.
 */
export async function searchStatuses(
  reader: Reader,
  viewer: Viewer,
  search: StatusSearch & { limit: number; offset: number },
): Promise<Id[]> {
  const wanted = search.offset + search.limit
  if (wanted > maxDepth) return []
  const plan = await planQuery(reader, viewer, search)
  if (plan === null || compareIds(plan.low, plan.high) >= 0) return []
  const found = await findNewest({ reader, viewerId: viewer.accountId, plan }, wanted)
  return found.slice(search.offset, wanted)
}

interface Search {
  reader: Reader
  viewerId: Id
  plan: SearchPlan
}

/** The newest that may be found, `wanted` of them. */
async function findNewest(search: Search, wanted: number): Promise<Id[]> {
  const most = Math.max(firstLook, wanted * 2)
  const near = await listCandidates(search, most)
  const found = await filterFindable(search, near, wanted)
  const isCut = near.length >= most
  if (found.length >= wanted || (!isCut && search.plan.anchored)) return found
  // Many match, and few of the newest may be found: from here on open ones and the viewer's own are read apart.
  const plan = isCut ? { ...search.plan, high: near.at(-1) as Id } : search.plan
  const missing = wanted - found.length
  const open = await listOpen({ ...search, plan }, missing)
  const oldest = open.length < missing ? plan.low : (open.at(-1) as Id)
  const own = await listLibrary({ ...search, plan: { ...plan, low: oldest } }, missing)
  const further = [...new Set([...open, ...own])].toSorted((a, b) => compareIds(b, a))
  return [...found, ...further].slice(0, wanted)
}

/**
 * The newest statuses that match, whoever may see them. The stretches are read one after the other, only as far as it
 * takes to find enough: a nested loop hands them out in their order. `+ 0` keeps the database from walking through
 * the ids in search of matches.
 */
async function listCandidates({ reader, plan }: Search, most: number): Promise<Id[]> {
  // Without anything that only some have, the last stretch would be a whole table.
  const parts = stretches(plan.high, plan.low).filter(({ marks }) => marks.length > 0 || plan.anchored)
  const queries = parts.map(({ marks }) => {
    const within = marks.length > 0 ? [`(${marks.map(quoteEntry).join(' | ')})`] : []
    return [...plan.conditions, ...within].join(' & ')
  })
  const { rows } = await sql<{ id: Id }>`
    select h.id from unnest(${queries}::text[], ${parts.map((part) => part.high)}::bigint[]) w (query, high)
    cross join lateral (
      select d.status_id as id from status_search d
      where d.document @@ w.query::tsquery and d.status_id + 0 < w.high and d.status_id + 0 >= ${plan.low}::bigint
        and ${outside(plan)}
      order by d.status_id + 0 desc limit ${most}) h
    limit ${most}`.execute(reader.db)
  return rows.map((row) => row.id).toSorted((a, b) => compareIds(b, a))
}

function outside({ without }: SearchPlan): RawBuilder<boolean> {
  if (without.length === 0) return sql`true`
  return sql`not exists (
    select 1 from unnest(${without.map((r) => r.low)}::bigint[], ${without.map((r) => r.high)}::bigint[]) r (low, high)
    where d.status_id >= r.low and d.status_id < r.high)`
}

/** Those of the ids that may be found, in their order, at most `most`. */
async function filterFindable(
  { reader, viewerId, plan }: Search,
  ids: readonly Id[],
  most: number,
): Promise<Id[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: Id }>`
    select s.id from unnest(${ids}::bigint[]) with ordinality w (id, place)
    join statuses s on s.id = w.id join accounts a on a.id = s.account_id
    where ${findableBy(viewerId, plan.scope)} and ${hasEmbed(plan)}
    order by w.place limit ${most}`.execute(reader.db)
  return rows.map((row) => row.id)
}

/** What a card shows is known only after its page was read. */
function hasEmbed({ embed }: SearchPlan): RawBuilder<boolean> {
  if (embed === null) return sql`true`
  const there = sql`exists (
    select 1 from preview_cards c where c.id = s.card_id and c.type in ('video', 'rich') offset 0)`
  return embed ? sql`${there}` : sql`not ${there}`
}

/** The newest matches that are open to everybody's search. */
async function listOpen(search: Search, wanted: number): Promise<Id[]> {
  if (search.plan.scope === 'library') return []
  const conditions = [...search.plan.conditions, quoteEntry(openMark)]
  const plan: SearchPlan = { ...search.plan, conditions, anchored: true, scope: 'public' }
  return readOn({ ...search, plan }, listCandidates, wanted)
}

/** The newest matches in the viewer's library. */
async function listLibrary(search: Search, wanted: number): Promise<Id[]> {
  if (search.plan.scope === 'public') return []
  return readOn({ ...search, plan: { ...search.plan, scope: 'library' } }, listOwn, wanted)
}

type List = (search: Search, most: number) => Promise<Id[]>

/** Reads a list of candidates on and on until enough of them may be found. */
async function readOn(search: Search, list: List, wanted: number): Promise<Id[]> {
  const found: Id[] = []
  let plan = search.plan
  let most = Math.max(firstLook, wanted * 2)
  for (let look = 0; look < maxLooks; look++) {
    const ids = await list({ ...search, plan }, most)
    found.push(...(await filterFindable(search, ids, wanted - found.length)))
    if (found.length >= wanted || ids.length < most) break
    plan = { ...plan, high: ids.at(-1) as Id }
    most *= growth
  }
  return found
}

/**
 * The newest matches among what the viewer had to do with. The database knows how many there are of each, and begins
 * with the fewer.
 */
async function listOwn({ reader, viewerId, plan }: Search, most: number): Promise<Id[]> {
  const matches =
    plan.conditions.length === 0 ? sql`true` : sql`d.document @@ ${plan.conditions.join(' & ')}::tsquery`
  const { rows } = await sql<{ id: Id }>`
    select l.id from (select distinct m.id from (${libraryOf(viewerId)}) m) l
    join status_search d on d.status_id = l.id
    where l.id < ${plan.high}::bigint and l.id >= ${plan.low}::bigint and ${outside(plan)} and ${matches}
    order by l.id desc limit ${most}`.execute(reader.db)
  return rows.map((row) => row.id)
}
