import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { visibleTo } from '#domain/content/statuses/visibility.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { AccountConversationId, AccountId, IdCursor, StatusId } from '#lib/id.ts'

/** One person's conversation. */
export interface ConversationRow {
  id: AccountConversationId
  unread: boolean
  /** The others; none when somebody writes to themselves. */
  participant_ids: AccountId[]
  /** The newest status in it, by which conversations are ordered. */
  cursor: IdCursor
  /** The newest status in it that the person may see. */
  last_status_id: StatusId
}

/** A page of the viewer's conversations, by their last statuses, which are the cursors. */
export async function listConversations(
  reader: Reader,
  viewerId: AccountId,
  page: PageRequest,
): Promise<Page<ConversationRow>> {
  const { rows } = await sql<ConversationRow>`
    ${source(viewerId)} and ${inPage('c.last_status_id', page)}
    ${orderAndLimit('c.last_status_id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.cursor)
}

/** One of the viewer's conversations. Throws `not_found`, also for those of others. */
export async function getConversation(
  reader: Reader,
  viewerId: AccountId,
  id: AccountConversationId,
): Promise<ConversationRow> {
  const { rows } = await sql<ConversationRow>`${source(viewerId)} and c.id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Those with something to see in them, and with nobody whom the viewer blocks or whose domain they hide. */
const source = (viewerId: AccountId): RawBuilder<unknown> => sql`
  select c.id, c.unread, c.participant_ids, c.last_status_id as cursor, shown.status_id as last_status_id
  from account_conversations c
  cross join lateral (
    select k.status_id from account_conversation_statuses k join statuses s on s.id = k.status_id
    where k.account_conversation_id = c.id and ${visibleTo(viewerId, 's')}
    order by k.status_id desc limit 1) shown
  where c.account_id = ${viewerId}
    and not exists (
      select 1 from blocks cb where cb.account_id = ${viewerId} and cb.target_account_id = any(c.participant_ids) offset 0)
    and not exists (
      select 1 from accounts p join account_domain_blocks cd on cd.domain = p.domain
      where p.id = any(c.participant_ids) and cd.account_id = ${viewerId} offset 0)`
