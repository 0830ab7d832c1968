import { sql, type Selectable } from 'kysely'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Reader } from '#ports/ctx.ts'
import { groupBy } from '#lib/collections.ts'
import type { StatusVisibility } from './visibility.ts'
import type { StatusId } from '#lib/id.ts'

export interface StatusRow extends Pick<
  Selectable<StatusesTable>,
  | 'id'
  | 'version'
  | 'account_id'
  | 'text'
  | 'content'
  | 'spoiler_text'
  | 'sensitive'
  | 'language'
  | 'in_reply_to_id'
  | 'in_reply_to_account_id'
  | 'reblog_of_id'
  | 'media_ids'
  | 'poll_id'
  | 'card_id'
  | 'collection_ids'
  | 'quote_automatic'
  | 'quote_manual'
  | 'reply_automatic'
  | 'reply_manual'
  | 'local_only'
  | 'uri'
  | 'url'
  | 'local'
  | 'created_at'
  | 'edited_at'
> {
  visibility: StatusVisibility
  author_username: string
  author_domain: string | null
  application_name: string | null
  application_website: string | null
}

export interface MentionRow extends Pick<Selectable<AccountsTable>, 'id' | 'username' | 'domain' | 'url'> {
  status_id: StatusId
}

export interface TagRow {
  status_id: StatusId
  name: string
}

/** The texts of statuses. */
export async function loadStatusRows(reader: Reader, ids: readonly StatusId[]): Promise<StatusRow[]> {
  const { rows } = await sql<StatusRow>`
    select s.id, s.version, s.account_id, s.text, s.content, s.spoiler_text, s.visibility, s.sensitive, s.language,
      s.in_reply_to_id, s.in_reply_to_account_id, s.reblog_of_id, s.uri, s.url, s.created_at, s.edited_at, s.local,
      s.media_ids, s.poll_id, s.card_id, s.collection_ids, s.quote_automatic, s.quote_manual, s.reply_automatic, s.reply_manual,
      s.local_only,
      a.username as author_username, a.domain as author_domain, p.name as application_name, p.website as application_website
    from statuses s
    join accounts a on a.id = s.account_id
    left join applications p on p.id = s.application_id
    where s.id = any(${ids}::bigint[])`.execute(reader.db)
  return rows
}

/** Whom statuses name, in a stable order; silent mentions are not told. */
export async function loadMentions(
  reader: Reader,
  ids: readonly StatusId[],
): Promise<Map<StatusId, MentionRow[]>> {
  const { rows } = await sql<MentionRow>`
    select m.status_id, a.id, a.username, a.domain, a.url
    from mentions m join accounts a on a.id = m.account_id
    where m.status_id = any(${ids}::bigint[]) and not m.silent and a.deleted_at is null
    order by m.status_id, m.account_id`.execute(reader.db)
  return groupBy(rows, (row) => row.status_id)
}

/** The hashtags of statuses, by name. */
export async function loadTagsOf(reader: Reader, ids: readonly StatusId[]): Promise<Map<StatusId, TagRow[]>> {
  const { rows } = await sql<TagRow>`
    select st.status_id, t.name from status_tags st join tags t on t.id = st.tag_id
    where st.status_id = any(${ids}::bigint[]) order by st.status_id, t.name`.execute(reader.db)
  return groupBy(rows, (row) => row.status_id)
}
