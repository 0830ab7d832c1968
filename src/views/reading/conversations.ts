import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getConversation, type ConversationRow } from '#domain/reading/conversations/queries.ts'
import { pick } from '#lib/collections.ts'
import { loadAccountViews, type AccountJson } from '../identity/accounts.ts'
import type { StatusJson } from '../render/status.ts'
import { loadStatusViews } from '../content/statuses.ts'

/** Conversation (https://docs.joinmastodon.org/entities/Conversation/). */
export interface ConversationJson {
  id: Id
  unread: boolean
  accounts: AccountJson[]
  last_status: StatusJson | null
}

/** Conversations in their order, by a constant number of queries. */
export async function viewConversations(
  ctx: Ctx,
  viewer: Viewer,
  rows: readonly ConversationRow[],
): Promise<ConversationJson[]> {
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
export async function viewConversation(ctx: Ctx, viewer: Viewer, id: Id): Promise<ConversationJson> {
  const row = await getConversation(ctx, viewer.accountId, id)
  return (await viewConversations(ctx, viewer, [row]))[0] as ConversationJson
}
