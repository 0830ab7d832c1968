// What edits of all statuses have in common, wherever they were written.
import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import { countFeatured } from '#domain/content/tags/featured-tags.ts'
import { attachTags } from '../publish/create-status.ts'
import { mediaVersion } from './load-edits.ts'
import type { AccountId, StatusEditId, StatusId, TagId } from '#lib/id.ts'

/** The status as it was first, when no version of it is kept yet. */
export async function keepOriginal(tx: Tx, statusId: StatusId): Promise<void> {
  const { rows } = await sql`select 1 from status_edits where status_id = ${statusId} limit 1`.execute(tx.db)
  if (rows.length === 0) await insertVersion(tx, statusId)
}

/** Keeps the status as it is now. Returns the id of the version. */
export async function insertVersion(tx: Tx, statusId: StatusId): Promise<StatusEditId> {
  const id = tx.newId<StatusEditId>()
  await sql`
    insert into status_edits (id, status_id, text, content, spoiler_text, sensitive, language, media, poll_options, created_at)
    select ${id}, s.id, s.text, s.content, s.spoiler_text, s.sensitive, s.language, ${mediaVersion('s')},
      (select p.options from polls p where p.id = s.poll_id), coalesce(s.edited_at, s.created_at)
    from statuses s where s.id = ${statusId}`.execute(tx.db)
  return id
}

/** The hashtags that the text names now, and no others. */
export async function saveTags(
  tx: Tx,
  statusId: StatusId,
  hashtags: readonly { name: string; display: string }[],
): Promise<void> {
  const { rows } = await sql<{ id: TagId; name: string }>`
    select t.id, t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = ${statusId}`.execute(
    tx.db,
  )
  const named = new Set(hashtags.map((tag) => tag.name))
  const known = new Set(rows.map((row) => row.name))
  const gone = rows.flatMap((row) => (named.has(row.name) ? [] : [row.id]))
  await sql`
    delete from status_tags where status_id = ${statusId} and tag_id = any(${gone}::bigint[])`.execute(tx.db)
  await countFeatured(tx, statusId, gone, -1)
  const fresh = hashtags.filter((tag) => !known.has(tag.name))
  await attachTags(tx, statusId, fresh)
}

/**
 * Those who are no longer named stay among those who may see the status. Those who are named for the first time, or
 * again, are told.
 */
export async function saveMentions(tx: Tx, statusId: StatusId, ids: readonly AccountId[]): Promise<void> {
  const { rows } = await sql<{ account_id: AccountId }>`
    with silenced as (
      update mentions set silent = true
      where status_id = ${statusId} and not silent and account_id <> all(${ids}::bigint[]))
    insert into mentions (status_id, account_id) select ${statusId}, unnest(${ids}::bigint[])
    on conflict (status_id, account_id) do update set silent = false where mentions.silent
    returning account_id`.execute(tx.db)
  for (const row of rows) await tx.emit({ type: 'mention.created', statusId, accountId: row.account_id })
}
