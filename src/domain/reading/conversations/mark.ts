import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { getConversation } from './queries.ts'
import type { AccountConversationId } from '#lib/id.ts'

/** Marks one of the viewer's conversations as read. Idempotent. Throws `not_found`. */
export const readConversation = (ctx: Ctx, viewer: Viewer, id: AccountConversationId) =>
  mark(ctx, viewer, id, false)

/** Marks one of the viewer's conversations as unread. Idempotent. Throws `not_found`. */
export const unreadConversation = (ctx: Ctx, viewer: Viewer, id: AccountConversationId) =>
  mark(ctx, viewer, id, true)

async function mark(ctx: Ctx, viewer: Viewer, id: AccountConversationId, unread: boolean): Promise<void> {
  const { accountId } = viewer
  await getConversation(ctx, accountId, id)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update account_conversations set unread = ${unread}, version = version + 1
      where id = ${id} and account_id = ${accountId} and unread <> ${unread} returning id`.execute(tx.db)
    if (rows.length > 0) await tx.emit({ type: 'conversation.updated', accountId, conversationId: id })
  })
}

/**
 * Takes a conversation out of the viewer's list. The statuses stay, and so does what others have of it; with the next
 * status it comes again. Throws `not_found`.
 */
export async function deleteConversation(ctx: Ctx, viewer: Viewer, id: AccountConversationId): Promise<void> {
  const { rows } = await sql`
    delete from account_conversations where id = ${id} and account_id = ${viewer.accountId} returning id`.execute(
    ctx.db,
  )
  if (rows.length === 0) throw notFound()
}
