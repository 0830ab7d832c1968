// Old statuses of other servers that nobody here touched. They are forgotten, not deleted: nobody is told, and they may
// come again when somebody asks for them. The newest go first, so that when the turn of a status comes all that could
// still need it (answers, boosts, quotes) has been decided about.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { timeToId } from '#lib/ids.ts'
import type { BatchTask, Step } from './run-batches.ts'
import type { Cursor } from './runs.ts'
import { filterUnused } from './unused-statuses.ts'
import type { ConversationId, IdCursor, PollId, StatusId } from '#lib/id.ts'

const day = 86_400_000
const dryBatch = 500

/** `content_cache_retention_period` says after how many days. */
export const remoteStatuses: BatchTask = {
  name: 'remote-statuses',
  async begin(ctx) {
    const { content_cache_retention_period: days } = await getSettings(ctx)
    return days === null ? null : beginAt(ctx, days, false)
  },
  async step(tx, cursor, size) {
    const { old, step } = await look(tx, cursor, size)
    const unused = await filterUnused(tx, old)
    const removed = unused.length === 0 ? 0 : await forget(tx, unused)
    return { ...step, removed }
  },
}

/**
 * The same work with another number of days, whatever is set. `keepFollowed`: those of accounts that somebody here follows
 * stay. A run that was begun otherwise goes on as it was begun.
 */
export const remoteStatusesOlderThan = (days: number, keepFollowed: boolean): BatchTask => ({
  ...remoteStatuses,
  begin: (ctx) => beginAt(ctx, days, keepFollowed),
})

async function beginAt(ctx: Ctx, days: number, keepFollowed: boolean) {
  const before = ctx.clock.now() - days * day
  const at = timeToId(before)
  const cursor: Cursor = {
    at,
    before: new Date(before).toISOString(),
    ...(keepFollowed && { keep: 'followed' }),
  }
  return { cursor, expected: await estimateBelow(ctx, at) }
}

/**
 * How many would go now; `onProgress` gets how many were looked at so far. Changes nothing. Null when the operator does
 * not want any to go.
 */
export async function countUnused(
  ctx: Ctx,
  onProgress: (progress: { examined: number; expected: number | null }) => void,
  work: BatchTask = remoteStatuses,
): Promise<number | null> {
  const begun = await work.begin(ctx)
  if (!begun) return null
  return ctx.transaction(async (tx) => {
    // What holds another one and would be gone itself is remembered, as long as this lasts.
    await sql`create temporary table doomed_statuses (id bigint primary key) on commit drop`.execute(tx.db)
    const gone = sql<boolean>`exists (select 1 from doomed_statuses g where g.id = r.id offset 0)`
    let { cursor } = begun
    for (let count = 0; ;) {
      const { old, step } = await look(tx, cursor, dryBatch)
      const unused = await filterUnused(tx, old, gone)
      await sql`insert into doomed_statuses select unnest(${unused}::bigint[])`.execute(tx.db)
      count += unused.length
      onProgress({ examined: step.examined, expected: begun.expected })
      if (step.done) return count
      cursor = step.cursor
    }
  })
}

/** As the database believes: counting them would read them all. */
async function estimateBelow(reader: Reader, id: IdCursor): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select 1 from statuses where id < ${sql.lit(id)}`.execute(reader.db)
  return Math.round(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0)
}

const isFollowed = sql<boolean>`
  exists (select 1 from follows f where f.target_account_id = s.account_id offset 0)`

/** The next rows, and of them the statuses of other servers that have been here for long enough. */
async function look(tx: Tx, from: Cursor, size: number): Promise<{ old: StatusId[]; step: Step }> {
  const { at, before, keep } = from
  const kept = keep === 'followed' ? isFollowed : sql<boolean>`false`
  const { rows } = await sql<{ id: StatusId; old: boolean }>`
    select s.id, not s.local and s.deleted_at is null and coalesce(s.fetched_at, s.created_at) < ${before}::timestamptz
      and not ${kept} as old
    from statuses s where s.id < ${at}::bigint order by s.id desc limit ${size}`.execute(tx.db)
  const cursor = { ...from, at: rows.at(-1)?.id ?? '0' }
  return {
    old: rows.filter((row) => row.old).map((row) => row.id),
    step: { cursor, examined: rows.length, removed: 0, done: rows.length < size },
  }
}

/**
 * Locks statuses and looks at them again, by a statement of its own that sees what was committed before; what somebody
 * is doing something with at this moment stays for another time. Whoever comes later finds nothing. Returns how many went.
 */
async function forget(tx: Tx, ids: readonly StatusId[]): Promise<number> {
  const { rows: held } = await sql<{ id: StatusId; poll_id: PollId | null }>`
    select id, poll_id from statuses where id = any(${ids}::bigint[]) and deleted_at is null
    order by id for update skip locked`.execute(tx.db)
  const polls = held.flatMap((row) => row.poll_id ?? [])
  const free = polls.length === 0 ? new Set<PollId>() : await lockPolls(tx, polls)
  const mine = held.filter((row) => row.poll_id === null || free.has(row.poll_id)).map((row) => row.id)
  const unused = await filterUnused(tx, mine)
  if (unused.length > 0) await erase(tx, unused)
  return unused.length
}

async function lockPolls(tx: Tx, ids: readonly PollId[]): Promise<Set<PollId>> {
  const { rows } = await sql<{ id: PollId }>`
    select id from polls where id = any(${ids}::bigint[]) order by id for update skip locked`.execute(tx.db)
  return new Set(rows.map((row) => row.id))
}

/**
 * Removes statuses with all that hangs on them. Files of attachments go by the next run of their job. What they answered
 * and quoted loses them from its counters, since they are counted anew when they come again. Those of authors stay as
 * their servers told them.
 */
async function erase(tx: Tx, ids: readonly StatusId[]): Promise<void> {
  const list = sql`any(${ids}::bigint[])`
  await sql`delete from media_attachments where status_id = ${list}`.execute(tx.db)
  await sql`
    with homes as (delete from home_entries where status_id = ${list})
    delete from list_entries where status_id = ${list}`.execute(tx.db)
  await sql`
    with losses as (
      select l.id, sum(l.replies) as replies, sum(l.quotes) as quotes from (
        select in_reply_to_id as id, 1 as replies, 0 as quotes from statuses
        where id = ${list} and visibility in ('public', 'unlisted') and in_reply_to_id is not null
        union all
        select quoted_status_id, 0, 1 from quotes
        where status_id = ${list} and state = 'accepted' and quoted_status_id is not null) l
      where l.id <> all(${ids}::bigint[]) group by l.id),
    counted as (
      select t.status_id from status_stats t where t.status_id in (select id from losses)
      order by t.status_id for no key update)
    update status_stats t set replies_count = greatest(0, t.replies_count - l.replies),
      quotes_count = greatest(0, t.quotes_count - l.quotes)
    from losses l join counted c on c.status_id = l.id where t.status_id = l.id`.execute(tx.db)
  const { rows } = await sql<{ conversation_id: ConversationId }>`
    with gone as (delete from statuses where id = ${list} returning conversation_id)
    select distinct conversation_id from gone where conversation_id is not null`.execute(tx.db)
  await forgetThreads(
    tx,
    rows.map((row) => row.conversation_id),
  )
}

/** Threads of which nothing is left, unless somebody muted one: then it stays muted. */
async function forgetThreads(tx: Tx, ids: readonly ConversationId[]): Promise<void> {
  await sql`
    delete from conversations where id = any(array(
      select c.id from conversations c
      where c.id = any(${ids}::bigint[])
        and not exists (select 1 from statuses s where s.conversation_id = c.id offset 0)
        and not exists (select 1 from conversation_mutes m where m.conversation_id = c.id offset 0)
        and not exists (select 1 from account_conversations a where a.conversation_id = c.id offset 0)
      order by c.id for update skip locked))`.execute(tx.db)
}
