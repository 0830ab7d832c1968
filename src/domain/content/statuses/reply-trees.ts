// Threads of other servers: what of them was fetched, and when.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { StatusId } from '#lib/id.ts'

export interface ReplyRoot {
  id: StatusId
  uri: string
  repliesUrl: string
}

/** How long after its publication, and after the last time, a thread is asked for, in milliseconds. */
const young = 5 * 60_000
const again = 15 * 60_000

const askable = (now: number) => sql<boolean>`(
  not s.local and s.deleted_at is null and s.reblog_of_id is null and s.visibility in ('public', 'unlisted')
  and s.uri is not null and s.replies_url is not null and s.created_at <= ${new Date(now - young)}
  and (s.replies_fetched_at is null or s.replies_fetched_at <= ${new Date(now - again)}))`

/** Whether the replies to a status may be asked for now: an open one of another server's, not asked for lately. */
export async function isThreadStale(reader: Reader, statusId: StatusId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from statuses s where s.id = ${statusId} and ${askable(reader.clock.now())}`.execute(reader.db)
  return rows.length > 0
}

/** Takes the task to ask for the replies to a status. Null when it may not be asked for, or somebody just has it. */
export async function claimReplies(reader: Reader, statusId: StatusId): Promise<ReplyRoot | null> {
  const now = reader.clock.now()
  const { rows } = await sql<ReplyRoot>`
    update statuses s set replies_fetched_at = ${new Date(now)}
    where s.id = ${statusId} and ${askable(now)}
    returning s.id, s.uri, s.replies_url as "repliesUrl"`.execute(reader.db)
  return rows[0] ?? null
}

/**
 * As `claimReplies` for replies that a thread has led to, however new they are. Those that were asked for lately are left
 * out, and so is what answers none of `parentIds`: a list may name anything.
 */
export async function claimBranches(
  reader: Reader,
  ids: readonly StatusId[],
  parentIds: readonly StatusId[],
): Promise<ReplyRoot[]> {
  if (ids.length === 0) return []
  const now = reader.clock.now()
  const { rows } = await sql<ReplyRoot>`
    update statuses s set replies_fetched_at = ${new Date(now)}
    where s.id = any(${ids}::bigint[]) and s.in_reply_to_id = any(${parentIds}::bigint[]) and not s.local and s.deleted_at is null and s.reblog_of_id is null
      and s.visibility in ('public', 'unlisted') and s.uri is not null and s.replies_url is not null
      and (s.replies_fetched_at is null or s.replies_fetched_at <= ${new Date(now - again)})
    returning s.id, s.uri, s.replies_url as "repliesUrl"`.execute(reader.db)
  return rows
}
