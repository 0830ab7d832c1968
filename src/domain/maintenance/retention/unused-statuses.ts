// What other servers posted, and nobody here has any use for.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { StatusId } from '#lib/id.ts'

interface CheckedStatus {
  id: StatusId
  kept: boolean
  /** What it answers, boosts and quotes. */
  refers_to: StatusId[]
}

/** More of what is as good as gone: a condition on `statuses r`. */
export const nothingElse = sql<boolean>`false`

/**
 * Those of these statuses of other servers that nothing holds here: nobody of this server did anything with them or is
 * named by them, and nothing that stays answers, boosts or quotes them. What stays thus keeps all above it in its thread.
 * `gone` as `nothingElse`.
 */
export async function filterUnused(
  reader: Reader,
  ids: readonly StatusId[],
  gone: RawBuilder<boolean> = nothingElse,
): Promise<StatusId[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<CheckedStatus>`
    select s.id, ${touched} or ${ofOurs} or ${heldBy(ids, gone)} as kept,
      array_remove(array[s.in_reply_to_id, s.reblog_of_id,
        (select q.quoted_status_id from quotes q where q.status_id = s.id)], null) as refers_to
    from statuses s where s.id = any(${ids}::bigint[])`.execute(reader.db)
  const kept = keepAbove(rows)
  return rows.filter((row) => !kept.has(row.id)).map((row) => row.id)
}

/** Within a batch, what a kept one refers to is kept, and so on. */
function keepAbove(rows: readonly CheckedStatus[]): ReadonlySet<StatusId> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const kept = new Set<StatusId>()
  const open = rows.filter((row) => row.kept).map((row) => row.id)
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (kept.has(id)) continue
    kept.add(id)
    open.push(...(byId.get(id)?.refers_to ?? []))
  }
  return kept
}

const isOurs = (column: RawBuilder<unknown>) =>
  sql`exists (select 1 from accounts l where l.id = ${column} and l.domain is null offset 0)`

/** Somebody of this server did something with `statuses s`, is named by it, was told of it, or decided about it. */
const touched = sql<boolean>`(
  exists (select 1 from bookmarks b where b.status_id = s.id offset 0)
  or exists (select 1 from favourites f where f.status_id = s.id and ${isOurs(sql`f.account_id`)} offset 0)
  or exists (select 1 from mentions m where m.status_id = s.id and ${isOurs(sql`m.account_id`)} offset 0)
  or exists (select 1 from status_reactions e where e.status_id = s.id and ${isOurs(sql`e.account_id`)} offset 0)
  or exists (select 1 from notifications n where n.status_id = s.id offset 0)
  or exists (select 1 from account_conversation_statuses c where c.status_id = s.id offset 0)
  or exists (select 1 from filter_statuses t where t.status_id = s.id offset 0)
  or exists (select 1 from status_pins p where p.status_id = s.id offset 0)
  or exists (select 1 from poll_votes v where v.poll_id = s.poll_id and ${isOurs(sql`v.account_id`)} offset 0)
  or exists (select 1 from scheduled_statuses d where d.params ->> 'inReplyToId' = s.id::text offset 0)
  or exists (select 1 from scheduled_statuses d where d.params ->> 'quotedStatusId' = s.id::text offset 0)
  or exists (select 1 from drafts w where w.status_ids @> array[s.id] offset 0)
  or exists (select 1 from reports o where o.target_account_id = s.account_id and s.id = any(o.status_ids) offset 0)
  or exists (
    select 1 from account_warnings w where w.target_account_id = s.account_id and s.id = any(w.status_ids) offset 0))`

/** It answers, boosts or quotes a status of this server: that is its author's thread and success. */
const ofOurs = sql<boolean>`(
  exists (select 1 from statuses u where u.id = s.in_reply_to_id and u.local offset 0)
  or exists (select 1 from statuses u where u.id = s.reblog_of_id and u.local offset 0)
  or exists (
    select 1 from quotes q join statuses u on u.id = q.quoted_status_id where q.status_id = s.id and u.local offset 0))`

/**
 * Something outside of these statuses refers to it. What was deleted elsewhere does not count; what was deleted here is
 * still needed by whoever tells other servers of it.
 */
function heldBy(ids: readonly StatusId[], gone: RawBuilder<boolean>): RawBuilder<boolean> {
  const stays = sql`(r.deleted_at is null or r.local) and r.id <> all(${ids}::bigint[]) and not (${gone})`
  return sql`(
    exists (select 1 from statuses r where r.in_reply_to_id = s.id and ${stays} offset 0)
    or exists (select 1 from statuses r where r.reblog_of_id = s.id and ${stays} offset 0)
    or exists (
      select 1 from quotes q join statuses r on r.id = q.status_id where q.quoted_status_id = s.id and ${stays} offset 0))`
}
