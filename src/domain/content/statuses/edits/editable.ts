// What an edit is held against: the status as it is.
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { Reader, Tx } from '#ports/ctx.ts'
import type { Visibility } from '#domain/identity/accounts/viewer.ts'
import { statusUrl } from '#domain/server/instance/urls.ts'
import type { ContentType } from '../publish/render-text.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** What of a status an edit may change. */
export interface EditableStatus extends Pick<
  Selectable<StatusesTable>,
  | 'text'
  | 'content'
  | 'spoiler_text'
  | 'sensitive'
  | 'language'
  | 'media_ids'
  | 'poll_id'
  | 'quote_automatic'
  | 'reply_automatic'
  | 'reply'
  | 'in_reply_to_id'
  | 'created_at'
> {
  content_type: ContentType
  visibility: Visibility
}

/** An account's own status as it is. Null for boosts, and for what is not theirs or is gone. */
export async function findEditable(
  reader: Reader,
  accountId: AccountId,
  statusId: StatusId,
): Promise<EditableStatus | null> {
  const { rows } = await selectEditable(accountId, statusId, sql``).execute(reader.db)
  return rows[0] ?? null
}

/** As `findEditable`, locked until the transaction ends, so that of two edits the second finds the first. */
export async function lockEditable(
  tx: Tx,
  accountId: AccountId,
  statusId: StatusId,
): Promise<EditableStatus | null> {
  const { rows } = await selectEditable(accountId, statusId, sql`for no key update`).execute(tx.db)
  return rows[0] ?? null
}

const selectEditable = (
  accountId: AccountId,
  statusId: StatusId,
  lock: RawBuilder<unknown>,
) => sql<EditableStatus>`
  select text, content, content_type, spoiler_text, sensitive, language, media_ids, poll_id, quote_automatic,
    reply_automatic, visibility, reply, in_reply_to_id, created_at
  from statuses
  where id = ${statusId} and account_id = ${accountId} and local and reblog_of_id is null and deleted_at is null
  ${lock}`

export interface QuotedAddress {
  /** Where people read what is quoted. Null when it is gone, or the quote was refused. */
  url: string | null
}

/** What a status quotes, which no edit changes. Null when it quotes nothing. */
export async function findQuotedAddress(reader: Reader, statusId: StatusId): Promise<QuotedAddress | null> {
  const { rows } = await sql<{
    id: StatusId | null
    url: string | null
    uri: string | null
    username: string | null
  }>`
    select s.id, s.url, s.uri, a.username
    from quotes q
    left join statuses s
      on s.id = q.quoted_status_id and s.deleted_at is null and q.state in ('pending', 'accepted')
    left join accounts a on a.id = s.account_id
    where q.status_id = ${statusId}`.execute(reader.db)
  const row = rows[0]
  if (!row) return null
  if (row.id === null || row.username === null) return { url: null }
  return { url: row.url ?? row.uri ?? statusUrl(reader.config, row.username, row.id) }
}
