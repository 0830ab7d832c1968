import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountConversationId, AccountId, StatusId } from '#lib/id.ts'

/** Takes deleted statuses out of all conversations: the one before is the last again. */
export async function removeFromConversations(ctx: Ctx, ids: readonly StatusId[]): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: AccountConversationId }>`
      delete from account_conversation_statuses k
      where k.status_id = any(${ids}::bigint[])
        and not exists (select 1 from statuses s where s.id = k.status_id and s.deleted_at is null)
      returning account_conversation_id as id`.execute(tx.db)
    if (rows.length === 0) return
    const changed = rows.map((row) => row.id)
    // Without any other status a conversation is gone by now: see the trigger.
    const left = await sql<{ id: AccountConversationId; account_id: AccountId }>`
      select id, account_id from account_conversations where id = any(${changed}::bigint[])`.execute(tx.db)
    for (const row of left.rows) {
      await tx.emit({ type: 'conversation.updated', accountId: row.account_id, conversationId: row.id })
    }
  })
}

/** Ends the conversations of an account that somebody it blocks takes part in. */
export async function removeBlockedConversations(
  ctx: Ctx,
  pair: { accountId: AccountId; targetAccountId: AccountId },
): Promise<void> {
  await sql`
    delete from account_conversations c
    where c.account_id = ${pair.accountId} and ${pair.targetAccountId}::bigint = any(c.participant_ids)
      and exists (
        select 1 from blocks b where b.account_id = c.account_id and b.target_account_id = ${pair.targetAccountId})`.execute(
    ctx.db,
  )
}
