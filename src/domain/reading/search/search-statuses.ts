import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { Deeds } from '#domain/content/statuses/deeds/kept-deeds.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { compareIds } from '#lib/ids.ts'
import { findableBy } from './findable.ts'
import { listMine, listNear, listOpen, newestFirst, type Candidates, type Search } from './list-candidates.ts'
import type { Scope } from './parse-query.ts'
import { planQuery, type StatusSearch } from './plan-query.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** Candidates of each kind that are read beyond those wanted, because some of them may not be found. */
const reserve = 20
/** When they did not suffice, as many times more are read. */
const growth = 4
/** How often: whoever blocks thousands who write of nothing else gets a short page. */
const maxLooks = 6
/** Pages end here. */
const maxDepth = 4000

/**
 * Ids of statuses that the viewer may find by a query (operators: parse-query.ts), newest first: those of their library,
 * and public ones of people who want to be found. A few statements, which read no more than the newest matches need.
 * Throws `invalid` for a date that is none.
 */
export async function searchStatuses(
  reader: Reader & Pick<Ctx, 'caches'>,
  viewer: Viewer,
  search: StatusSearch & { limit: number; offset: number; deeds: Deeds | null },
): Promise<StatusId[]> {
  const wanted = search.offset + search.limit
  if (wanted > maxDepth) return []
  const plan = await planQuery(reader, viewer, search)
  if (plan === null || compareIds(plan.low, plan.high) >= 0) return []
  const found = await findNewest({ reader, viewerId: viewer.accountId, deeds: search.deeds, plan }, wanted)
  return found.slice(search.offset, wanted)
}

/** The newest that may be found, `wanted` of them: candidates are read on and on until there are enough. */
async function findNewest(search: Search, wanted: number): Promise<StatusId[]> {
  const { plan } = search
  const found: StatusId[] = []
  let high = plan.high
  let max = wanted + reserve
  for (let look = plan.anchored ? 0 : 1; look <= maxLooks && compareIds(plan.low, high) < 0; look++) {
    const rest: Search = { ...search, plan: { ...plan, high } }
    const { ids, end } = look === 0 ? await listNear(rest) : await listCandidates(rest, max)
    found.push(...(await filterFindable(rest, ids, wanted - found.length)))
    if (found.length >= wanted || end === null) break
    high = end
    if (look > 0) max *= growth
  }
  return found
}

/** Newest first. Where one kind was cut, older ones of another kind are left for the next look. */
async function listCandidates(search: Search, max: number): Promise<Candidates> {
  const { plan } = search
  const none: Candidates = { ids: [], end: null }
  const open = plan.scope === 'library' ? none : await listOpen(search, max)
  const rest = { ...search, plan: { ...plan, low: open.end ?? plan.low } }
  const mine = plan.scope === 'public' ? none : await listMine(rest, max)
  const end = [open.end, mine.end].reduce((a, b) =>
    a === null || (b !== null && compareIds(a, b) < 0) ? b : a,
  )
  const ids = [...new Set([...open.ids, ...mine.ids])].toSorted(newestFirst)
  return { ids: end === null ? ids : ids.filter((id) => compareIds(id, end) >= 0), end }
}

/** Those of the ids that may be found, in their order, at most `max`. */
async function filterFindable(
  { reader, viewerId, plan }: Search,
  ids: readonly StatusId[],
  max: number,
): Promise<StatusId[]> {
  if (ids.length === 0) return []
  const embed = plan.embed === null ? null : Number(plan.embed)
  const { rows } = await askFindable[plan.scope](
    reader.db,
    viewerId,
    ids,
    new Date(reader.clock.now()),
    embed,
    max,
  )
  return rows.map((row) => row.id)
}

type FilterArguments = [
  viewerId: AccountId,
  ids: readonly StatusId[],
  now: Date,
  /** Whether its page must be one that plays something, as a number. */
  embed: number | null,
  max: number,
]

const askFindable: Record<Scope, ReturnType<typeof keepFindable>> = {
  all: keepFindable('all'),
  library: keepFindable('library'),
  public: keepFindable('public'),
}

/** `limit 1` keeps the database at one status and its author after the other, whatever it believes of how many accounts there are. */
function keepFindable(scope: Scope) {
  return keepStatement((db: QueryExecutorProvider, ...[viewerId, ids, now, embed, max]: FilterArguments) =>
    sql<{ id: StatusId }>`
    select w.id from unnest(${ids}::bigint[]) with ordinality w (id, place)
    cross join lateral (
      select from statuses s
      cross join lateral (
        select indexable, domain, silenced_at, suspended_at, deleted_at from accounts where id = s.account_id limit 1) a
      where s.id = w.id and ${findableBy({ viewerId, ids, scope, now }, { status: 's', author: 'a' })}
        and ${hasEmbed(embed, 's')} limit 1) f
    order by w.place limit ${max}`.execute(db),
  )
}

/** What a card shows is known only after its page was read. */
function hasEmbed(embed: number | null, status: string): RawBuilder<boolean> {
  if (embed === null) return sql`true`
  return sql`exists (
    select 1 from preview_cards c where c.id = ${sql.id(status)}.card_id and c.type in ('video', 'rich') offset 0)::int = ${embed}`
}
