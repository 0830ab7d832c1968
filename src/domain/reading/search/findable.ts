// Who may find what, besides who may see it.
import { sql, type RawBuilder } from 'kysely'
import { passesStatusFilter } from '#domain/social/relationships/rules.ts'
import { visibleTo } from '#domain/content/statuses/visibility.ts'
import type { Scope } from './parse-query.ts'
import type { AccountId, IdCursor, StatusId } from '#lib/id.ts'

interface Wanted {
  viewerId: AccountId
  /** Statuses that are asked about. */
  ids: readonly StatusId[]
  scope: Scope
  now: Date
}

/** What a status and its author are called in a statement. */
interface FoundRows {
  status: string
  author: string
}

/**
 * The viewer may see the status, which is one of `ids`; it is in the scope, and neither the viewer nor the author hides
 * from the other. `offset 0` keeps a subquery one index look-up a row.
 */
export function findableBy(wanted: Wanted, rows: FoundRows): RawBuilder<boolean> {
  const { viewerId, now } = wanted
  const s = sql.id(rows.status)
  return sql`(${s}.reblog_of_id is null and ${inScope(wanted, rows)} and ${visibleTo(viewerId, rows.status, rows.author)} and (
    ${s}.account_id = ${viewerId} or ${passesStatusFilter(viewerId, rows.author, now, sql`${s}.account_id`)}))`
}

function inScope(wanted: Wanted, rows: FoundRows): RawBuilder<boolean> {
  const [s, a] = [sql.id(rows.status), sql.id(rows.author)]
  const open = sql<boolean>`(${s}.visibility = 'public' and ${a}.indexable)`
  if (wanted.scope === 'public') return open
  return wanted.scope === 'library' ? inLibrary(wanted, rows) : sql`(${open} or ${inLibrary(wanted, rows)})`
}

/**
 * The viewer wrote it, is named in it, favourited, bookmarked or boosted it, or voted in its poll. What they touched is
 * looked for once for all ids.
 */
function inLibrary({ viewerId, ids }: Wanted, { status }: FoundRows): RawBuilder<boolean> {
  const s = sql.id(status)
  return sql`(${s}.account_id = ${viewerId} or ${s}.id = any(array(${touchedAmong(viewerId, sql`${ids}::bigint[]`)}))
    or (${s}.poll_id is not null and exists (
      select 1 from poll_votes lv where lv.poll_id = ${s}.poll_id and lv.account_id = ${viewerId} offset 0)))`
}

/**
 * The ids of what the viewer is named in, favourited, bookmarked or boosted, as far as `within` holds of the column that
 * has them, some of them more than once.
 */
function touchedBy(
  viewerId: AccountId,
  within: (column: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`select status_id as id from mentions where account_id = ${viewerId} and ${within('status_id')}
    union all select status_id from favourites where account_id = ${viewerId} and ${within('status_id')}
    union all select status_id from bookmarks where account_id = ${viewerId} and ${within('status_id')}
    union all select reblog_of_id from statuses
      where account_id = ${viewerId} and reblog_of_id is not null and deleted_at is null and ${within('reblog_of_id')}`
}

/** Those of an array of ids that the viewer is named in, favourited, bookmarked or boosted, some of them more than once. */
export const touchedAmong = (viewerId: AccountId, ids: RawBuilder<unknown>): RawBuilder<unknown> =>
  touchedBy(viewerId, (column) => sql`${sql.ref(column)} = any(${ids})`)

/** The ids of a library but for what the viewer wrote, from `low` on and below `high`, some of them more than once. */
export function touchedBetween(
  viewerId: AccountId,
  { low, high }: { low: IdCursor; high: IdCursor },
): RawBuilder<unknown> {
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${low}::bigint and ${sql.ref(column)} < ${high}::bigint`
  return sql`${touchedBy(viewerId, within)}
    union all select p.status_id from poll_votes v join polls p on p.id = v.poll_id
      where v.account_id = ${viewerId} and ${within('p.status_id')}`
}
