// What a status of another server answers was found after it.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { ConversationId, StatusId } from '#lib/id.ts'

/** Steps up a thread that are looked at, and statuses below that follow into the thread of the parent. */
const reach = 4096

/**
 * Makes a status of another server the reply that it says it is. It and what answers it then belong to the thread of
 * its parent. Does nothing for one that has a parent, or that its parent answers. Returns whether it has one now.
 */
export async function attachParent(ctx: Ctx, statusId: StatusId, parentId: StatusId): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    // Two at once could each make the other its parent.
    await sql`select pg_advisory_xact_lock(hashtext('stonechat:attach-parent'))`.execute(tx.db)
    if (await isAbove(tx, statusId, parentId)) return false
    const { rows } = await sql<{
      visibility: string
      old_conversation: ConversationId | null
      conversation_id: ConversationId | null
    }>`
      with parent as (
        select p.id, p.account_id, p.in_reply_to_account_id, p.conversation_id from statuses p
        where p.id = ${parentId} and p.deleted_at is null and p.reblog_of_id is null for key share)
      update statuses s set in_reply_to_id = parent.id, reply = true, version = s.version + 1,
        in_reply_to_account_id = case when parent.account_id = s.account_id
          then coalesce(parent.in_reply_to_account_id, s.account_id) else parent.account_id end
      from parent
      where s.id = ${statusId} and s.in_reply_to_id is null and not s.local and s.deleted_at is null
      returning s.visibility, s.conversation_id as old_conversation, parent.conversation_id`.execute(tx.db)
    const row = rows[0]
    if (!row) return false
    if (row.visibility === 'public' || row.visibility === 'unlisted') await countReply(tx, parentId)
    if (row.conversation_id !== null) await join(tx, statusId, row.old_conversation, row.conversation_id)
    return true
  })
}

/** Whether the one is the other, or above it in its thread. */
async function isAbove(tx: Tx, id: StatusId, below: StatusId): Promise<boolean> {
  const { rows } = await sql`
    with recursive up (id, parent_id, step) as (
      select s.id, s.in_reply_to_id, 0 from statuses s where s.id = ${below}
      union all
      select p.id, p.in_reply_to_id, up.step + 1 from up join statuses p on p.id = up.parent_id
      where up.step < ${reach})
    select 1 from up where id = ${id} limit 1`.execute(tx.db)
  return rows.length > 0
}

async function countReply(tx: Tx, parentId: StatusId): Promise<void> {
  await sql`
    insert into status_stats (status_id, replies_count) values (${parentId}, 1)
    on conflict (status_id) do update set replies_count = status_stats.replies_count + 1`.execute(tx.db)
}

/** A status and what answers it leave the thread they were in, as far as they were in it. */
async function join(tx: Tx, id: StatusId, from: ConversationId | null, to: ConversationId): Promise<void> {
  if (from === to) return
  await sql`
    with recursive down (id, step) as (
      select ${id}::bigint, 0
      union all
      select c.id, down.step + 1 from down join statuses c on c.in_reply_to_id = down.id
      where down.step < ${reach} and c.conversation_id is not distinct from ${from}::bigint),
    capped as (select id from down limit ${reach})
    update statuses set conversation_id = ${to} where id in (select id from capped)`.execute(tx.db)
}
