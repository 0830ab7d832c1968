import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { notFound } from '#lib/errors.ts'
import { attachMedia } from '#domain/media/attach.ts'
import { applyMediaAttributes, withThumbnails } from '#domain/media/attributes.ts'
import { changePoll, lockPoll, type AskedPoll } from '#domain/polls/change-poll.ts'
import { countFeatured } from '#domain/tags/featured-tags.ts'
import { attachTags } from '../create-status.ts'
import { namedCollections } from '../named-collections.ts'
import { lockEditable, type EditableStatus } from './editable.ts'
import { mediaVersion } from './load-edits.ts'
import { changesOf, type PreparedEdit } from './prepare-edit.ts'

/**
 * Makes a status what the edit says and keeps the version it was. Does nothing when another edit has done the same
 * meanwhile. Throws `not_found` when the status is gone, and `invalid` when its new media are taken or a thumbnail is no
 * picture.
 */
export async function saveEdit(ctx: Ctx, edit: PreparedEdit): Promise<void> {
  await withThumbnails(ctx, edit.changedMedia, async (tx) => {
    const current = await lockEditable(tx, edit.accountId, edit.statusId)
    if (!current) throw notFound()
    const poll = await lockPoll(tx, edit.statusId)
    const { version, policy } = changesOf(current, poll, edit)
    if (policy) await savePolicy(tx, edit)
    if (version) await saveVersion(tx, edit, { status: current, poll })
  })
}

async function savePolicy(tx: Tx, edit: PreparedEdit): Promise<void> {
  await sql`
    update statuses set quote_automatic = ${edit.quoteAutomatic}::text[], quote_manual = '{}', version = version + 1
    where id = ${edit.statusId}`.execute(tx.db)
  await tx.emit({ type: 'quote-policy.changed', statusId: edit.statusId })
}

async function saveVersion(
  tx: Tx,
  edit: PreparedEdit,
  before: { status: EditableStatus; poll: AskedPoll | null },
): Promise<void> {
  const { statusId } = edit
  const status = { id: statusId, accountId: edit.accountId }
  await keepOriginal(tx, statusId)
  await attachMedia(tx, status, edit.mediaIds)
  await applyMediaAttributes(tx, edit.accountId, edit.changedMedia)
  const pollId = await changePoll(tx, status, before.poll, edit.poll)
  await sql`
    update statuses set text = ${edit.text}, content = ${edit.content}, content_type = ${edit.contentType},
      spoiler_text = ${edit.spoilerText}, sensitive = ${edit.sensitive}, language = ${edit.language},
      media_ids = ${edit.mediaIds}::bigint[], poll_id = ${pollId}, edited_at = ${new Date(tx.clock.now())},
      collection_ids = ${namedCollections(tx.config, edit.text)}, version = version + 1
    where id = ${statusId}`.execute(tx.db)
  await saveTags(tx, edit)
  await saveMentions(tx, edit)
  const editId = await insertVersion(tx, statusId)
  await tx.emit({ type: 'status.updated', statusId, editId })
}

/** The status as it was first, when no version of it is kept yet. */
async function keepOriginal(tx: Tx, statusId: Id): Promise<void> {
  const { rows } = await sql`select 1 from status_edits where status_id = ${statusId} limit 1`.execute(tx.db)
  if (rows.length === 0) await insertVersion(tx, statusId)
}

/** Keeps the status as it is now. Answers the id of the version. */
async function insertVersion(tx: Tx, statusId: Id): Promise<Id> {
  const id = tx.newId()
  await sql`
    insert into status_edits (id, status_id, text, content, spoiler_text, sensitive, language, media, poll_options, created_at)
    select ${id}, s.id, s.text, s.content, s.spoiler_text, s.sensitive, s.language, ${mediaVersion},
      (select p.options from polls p where p.id = s.poll_id), coalesce(s.edited_at, s.created_at)
    from statuses s where s.id = ${statusId}`.execute(tx.db)
  return id
}

/** The hashtags that the text names now, and no others. */
async function saveTags(tx: Tx, { statusId, hashtags }: PreparedEdit): Promise<void> {
  const { rows } = await sql<{ id: Id; name: string }>`
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
async function saveMentions(tx: Tx, { statusId, mentioned }: PreparedEdit): Promise<void> {
  const ids = mentioned.map((one) => one.id)
  const { rows } = await sql<{ account_id: Id }>`
    with silenced as (
      update mentions set silent = true
      where status_id = ${statusId} and not silent and account_id <> all(${ids}::bigint[]))
    insert into mentions (status_id, account_id) select ${statusId}, unnest(${ids}::bigint[])
    on conflict (status_id, account_id) do update set silent = false where mentions.silent
    returning account_id`.execute(tx.db)
  for (const row of rows) await tx.emit({ type: 'mention.created', statusId, accountId: row.account_id })
}
