import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { attachMedia } from '#domain/content/media/attach.ts'
import { applyMediaAttributes, withThumbnails } from '#domain/content/media/attributes.ts'
import { changePoll, lockPoll, type AskedPoll } from '#domain/content/polls/change-poll.ts'
import { recordHits } from '#domain/content/spam/hits.ts'
import { namedCollections } from '../publish/named-collections.ts'
import { lockEditable, type EditableStatus } from './editable.ts'
import { changesOf, type PreparedEdit } from './prepare-edit.ts'
import { insertVersion, keepOriginal, saveMentions, saveTags } from './versions.ts'

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
    if (policy) await savePolicies(tx, edit, current)
    if (version) await saveVersion(tx, edit, { status: current, poll })
  })
}

async function savePolicies(
  tx: Tx,
  { statusId, policies: { quotes, replies } }: PreparedEdit,
  current: EditableStatus,
): Promise<void> {
  await sql`
    update statuses set quote_automatic = ${quotes ?? current.quote_automatic}::text[], quote_manual = '{}',
      reply_automatic = ${replies === undefined ? current.reply_automatic : replies}::text[], version = version + 1
    where id = ${statusId}`.execute(tx.db)
  await tx.emit({ type: 'quote-policy.changed', statusId })
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
  await saveTags(tx, statusId, edit.hashtags)
  await saveMentions(
    tx,
    statusId,
    edit.mentioned.map((one) => one.id),
  )
  const editId = await insertVersion(tx, statusId)
  if (edit.decision) await recordHits(tx, edit.decision, { accountId: edit.accountId, statusId })
  await tx.emit({ type: 'status.updated', statusId, editId })
}
