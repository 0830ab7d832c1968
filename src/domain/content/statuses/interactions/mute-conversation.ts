import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getVisibleStatus } from '../queries.ts'
import { visibleTo } from '../visibility.ts'
import { unprocessable } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { AccountId, ConversationId, IdCursor, StatusId } from '#lib/id.ts'

/**
 * Returns a page of the conversations that the viewer muted, those that began last first: of each the first status that
 * the viewer may see, by which it is unmuted. Those without any are left out. The cursors are ids of conversations.
 */
export async function listMutedConversations(
  reader: Reader,
  viewerId: AccountId,
  page: PageRequest,
): Promise<Page<StatusId>> {
  const { rows } = await sql<{ cursor: IdCursor; id: StatusId }>`
    select m.conversation_id as cursor, shown.id from conversation_mutes m
    cross join lateral (
      select s.id from statuses s where s.conversation_id = m.conversation_id and ${visibleTo(viewerId, 's')}
      order by s.id limit 1) shown
    where m.account_id = ${viewerId} and ${inPage('m.conversation_id', page)}
    ${orderAndLimit('m.conversation_id', page)}`.execute(reader.db)
  const found = toPage(rows, page, (row) => row.cursor)
  return { ...found, items: found.items.map((row) => row.id) }
}

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
