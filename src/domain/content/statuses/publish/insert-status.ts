import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { Visibility } from '#domain/identity/accounts/viewer.ts'
import { namedCollections } from './named-collections.ts'
import type { StatusFacts } from '../queries.ts'
import type { AccountId, ApplicationId, MediaId, StatusId } from '#lib/id.ts'

export interface NewStatus {
  id: StatusId
  accountId: AccountId
  text: string
  content: string
  contentType: string
  spoilerText: string
  visibility: Visibility
  sensitive: boolean
  language: string | null
  localOnly: boolean
  parent: Pick<StatusFacts, 'id' | 'account_id' | 'in_reply_to_account_id' | 'conversation_id'> | null
  applicationId: ApplicationId | null
  mediaIds: readonly MediaId[]
  /** Whom it names. */
  mentioned: readonly { id: AccountId }[]
  /** Whose quotes are accepted at once. */
  quoteAutomatic: readonly string[]
  /** Whose replies are taken; null: of all who see it. */
  replyAutomatic: readonly string[] | null
}

/**
 * The row, its conversation, its mentions, the counters and the author's own home entry in one statement: the author
 * reads what they wrote at once.
 */
export async function insertStatus(tx: Tx, status: NewStatus): Promise<void> {
  const createdAt = new Date(tx.clock.now())
  const reply = status.parent !== null
  const conversationId = status.parent?.conversation_id ?? status.id
  // That somebody writes to somebody is nobody else's business.
  const isCounted = status.visibility !== 'direct'
  const distributable = status.visibility === 'public' || status.visibility === 'unlisted'
  await sql`
    with conversation as (
      insert into conversations (id, created_at) select ${conversationId}, ${createdAt}
      where ${status.parent?.conversation_id == null} on conflict do nothing),
    status as (
      insert into statuses (id, account_id, text, content, spoiler_text, visibility, sensitive, language, reply,
        in_reply_to_id, in_reply_to_account_id, conversation_id, application_id, media_ids, quote_automatic,
        reply_automatic, content_type, local_only, collection_ids, created_at)
      values (${status.id}, ${status.accountId}, ${status.text}, ${status.content}, ${status.spoilerText},
        ${status.visibility}, ${status.sensitive}, ${status.language}, ${reply}, ${status.parent?.id ?? null},
        ${replyAccount(status)}, ${conversationId}, ${status.applicationId}, ${status.mediaIds}::bigint[],
        ${status.quoteAutomatic}::text[], ${status.replyAutomatic}::text[], ${status.contentType}, ${status.localOnly},
        ${namedCollections(tx.config, status.text)}, ${createdAt})),
    named as (
      insert into mentions (status_id, account_id)
      select distinct ${status.id}::bigint, id from unnest(${status.mentioned.map(({ id }) => id)}::bigint[]) named (id)),
    home as (
      insert into home_entries (account_id, status_id)
      select account_id, ${status.id} from home_feeds where account_id = ${status.accountId}),
    parent as (
      insert into status_stats (status_id, replies_count) select ${status.parent?.id ?? null}::bigint, 1
      where ${reply && distributable}
      on conflict (status_id) do update set replies_count = status_stats.replies_count + 1)
    update account_stats
    set statuses_count = statuses_count + ${isCounted ? 1 : 0},
      last_status_at = case when ${isCounted} then ${createdAt}::timestamptz else last_status_at end
    where account_id = ${status.accountId}`.execute(tx.db)
}

/** Whom a status answers, or null: a reply to one's own reply goes to the person whom that one answered. */
export function replyAccount(status: NewStatus): AccountId | null {
  const { parent, accountId } = status
  if (!parent) return null
  return parent.account_id === accountId ? (parent.in_reply_to_account_id ?? accountId) : parent.account_id
}
