import type { Conversation } from '#entities/conversation.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getConversation, type ConversationRow } from '#domain/reading/conversations/queries.ts'
import { pick } from '#lib/collections.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { loadStatusViews } from '../content/statuses.ts'
import type { AccountConversationId } from '#lib/id.ts'

/** Conversations (https://docs.joinmastodon.org/entities/Conversation/) in their order, by a constant number of queries. */
export async function viewConversations(
  ctx: Ctx,
  viewer: Viewer,
  rows: readonly ConversationRow[],
): Promise<Conversation[]> {
  if (rows.length === 0) return []
  const accountIds = new Set([viewer.accountId, ...rows.flatMap((row) => row.participant_ids)])
  const lastIds = rows.map((row) => row.last_status_id)
  const [accounts, statuses] = await Promise.all([
    loadAccountViews(ctx, [...accountIds]),
    loadStatusViews(ctx, viewer, lastIds),
  ])
  return rows.map((row) => {
    const others = pick(row.participant_ids, accounts)
    return {
      id: row.id,
      unread: row.unread,
      // Apps take the first of them for the title: it is oneself when nobody else is there, or there any more.
      accounts: others.length > 0 ? others : pick([viewer.accountId], accounts),
      last_status: statuses.get(row.last_status_id) ?? null,
    }
  })
}

/** One of the viewer's conversations. Throws `not_found`. */
export async function viewConversation(
  ctx: Ctx,
  viewer: Viewer,
  id: AccountConversationId,
): Promise<Conversation> {
  const row = await getConversation(ctx, viewer.accountId, id)
  return (await viewConversations(ctx, viewer, [row]))[0] as Conversation
}
