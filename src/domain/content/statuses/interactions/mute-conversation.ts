import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getVisibleStatus } from '../queries.ts'
import { unprocessable } from '#lib/errors.ts'
import type { ConversationId, StatusId } from '#lib/id.ts'

/** Stops notifications about a status' conversation. Throws `not_found`, `invalid` for a status without one. */
export async function muteConversation(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<StatusId> {
  const conversationId = await conversationOf(ctx, viewer, id)
  await ctx.db
    .insertInto('conversation_mutes')
    .values({
      account_id: viewer.accountId,
      conversation_id: conversationId,
      created_at: new Date(ctx.clock.now()),
    })
    .onConflict((on) => on.doNothing())
    .execute()
  return id
}

/** Lets notifications about it come again. */
export async function unmuteConversation(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<StatusId> {
  const conversationId = await conversationOf(ctx, viewer, id)
  await ctx.db
    .deleteFrom('conversation_mutes')
    .where('account_id', '=', viewer.accountId)
    .where('conversation_id', '=', conversationId)
    .execute()
  return id
}

async function conversationOf(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<ConversationId> {
  const status = await getVisibleStatus(ctx, viewer.accountId, id)
  if (status.conversation_id === null) throw unprocessable()
  return status.conversation_id
}
