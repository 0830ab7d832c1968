// Who may find what, besides who may see it.
import { sql, type RawBuilder } from 'kysely'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import { visibleTo } from '#domain/content/statuses/visibility.ts'
import type { Scope } from './parse-query.ts'
import type { AccountId, IdCursor } from '#lib/id.ts'

/** What a status and its author are called in a statement. */
interface FoundRows {
  status: string
  author: string
}

/**
 * The viewer may see the status, it is in the scope, and neither the viewer nor the author hides from the other. `offset 0`
 * keeps a subquery one index look-up a row.
 */
export function findableBy(
  viewerId: AccountId,
  rows: FoundRows,
  { scope, now }: { scope: Scope; now: Date },
): RawBuilder<boolean> {
  const s = sql.id(rows.status)
  return sql`(${s}.reblog_of_id is null and ${inScope(viewerId, rows, scope)} and ${visibleTo(viewerId, rows.status)} and (
    ${s}.account_id = ${viewerId} or ${welcome(viewerId, rows, now)}))`
}

function inScope(viewerId: AccountId, rows: FoundRows, scope: Scope): RawBuilder<boolean> {
  const [s, a] = [sql.id(rows.status), sql.id(rows.author)]
  const open = sql<boolean>`(${s}.visibility = 'public' and ${a}.indexable)`
  if (scope === 'public') return open
  return scope === 'library' ? inLibrary(viewerId, rows) : sql`(${open} or ${inLibrary(viewerId, rows)})`
}

/** The viewer wrote it, is named in it, favourited, bookmarked or boosted it, or voted in its poll. */
function inLibrary(viewerId: AccountId, { status }: FoundRows): RawBuilder<boolean> {
  const s = sql.id(status)
  return sql`(${s}.account_id = ${viewerId}
    or exists (select 1 from mentions lm where lm.status_id = ${s}.id and lm.account_id = ${viewerId} offset 0)
    or exists (select 1 from favourites lf where lf.account_id = ${viewerId} and lf.status_id = ${s}.id offset 0)
    or exists (select 1 from bookmarks lb where lb.account_id = ${viewerId} and lb.status_id = ${s}.id offset 0)
    or exists (select 1 from statuses lr
      where lr.reblog_of_id = ${s}.id and lr.account_id = ${viewerId} and lr.deleted_at is null offset 0)
    or (${s}.poll_id is not null and exists (
      select 1 from poll_votes lv where lv.poll_id = ${s}.poll_id and lv.account_id = ${viewerId} offset 0)))`
}

/** The ids of `inLibrary` but for what the viewer wrote, from `low` on and below `high`, some of them more than once. */
export function touchedBy(
  viewerId: AccountId,
  { low, high }: { low: IdCursor; high: IdCursor },
): RawBuilder<unknown> {
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${low}::bigint and ${sql.ref(column)} < ${high}::bigint`
  return sql`select status_id as id from mentions where account_id = ${viewerId} and ${within('status_id')}
    union all select status_id from favourites where account_id = ${viewerId} and ${within('status_id')}
    union all select status_id from bookmarks where account_id = ${viewerId} and ${within('status_id')}
    union all select reblog_of_id from statuses
      where account_id = ${viewerId} and reblog_of_id is not null and deleted_at is null and ${within('reblog_of_id')}
    union all select p.status_id from poll_votes v join polls p on p.id = v.poll_id
      where v.account_id = ${viewerId} and ${within('p.status_id')}`
}

/** Neither blocks the other, the viewer mutes neither the author nor their server, and limited ones are followed. */
function welcome(viewerId: AccountId, rows: FoundRows, now: Date): RawBuilder<boolean> {
  const [s, a] = [sql.id(rows.status), sql.id(rows.author)]
  return sql`(not exists (
      select 1 from blocks wb where wb.account_id = ${viewerId} and wb.target_account_id = ${s}.account_id offset 0)
    and not exists (
      select 1 from blocks wc where wc.account_id = ${s}.account_id and wc.target_account_id = ${viewerId} offset 0)
    and not ${isMuted({ muter: viewerId, muted: sql`${s}.account_id` }, now)}
    and (${a}.domain is null or not exists (
      select 1 from account_domain_blocks wd where wd.account_id = ${viewerId} and wd.domain = ${a}.domain offset 0))
    and (${a}.silenced_at is null or exists (
      select 1 from follows wf where wf.account_id = ${viewerId} and wf.target_account_id = ${s}.account_id offset 0)))`
}
