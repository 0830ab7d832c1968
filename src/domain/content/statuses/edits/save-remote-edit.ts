// What the author of a status on another server says it is now.
import { sql, type Selectable } from 'kysely'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { saveRemoteEmojis, type RemoteEmoji } from '#domain/server/instance/emojis/remote-emojis.ts'
import { changeRemoteMedia, type RemoteMedia } from '#domain/content/media/save-remote.ts'
import {
  isOtherPoll,
  lockRemotePoll,
  replaceRemotePoll,
  updateTallies,
  type RemotePoll,
} from '#domain/content/polls/remote-poll.ts'
import { endOtherQuote } from '../quotes/remote-quote.ts'
import { isSamePolicy } from '../reply-policy.ts'
import { insertVersion, keepOriginal, saveMentions, saveTags } from './versions.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface RemoteEdit {
  statusId: StatusId
  author: { id: AccountId; domain: string }
  url: string | null
  content: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  media: readonly RemoteMedia[]
  poll: RemotePoll | null
  /** Known accounts that it names now. */
  mentioned: readonly AccountId[]
  hashtags: readonly { name: string; display: string }[]
  emojis: readonly RemoteEmoji[]
  quoteAutomatic: readonly string[]
  quoteManual: readonly string[]
  replyAutomatic: readonly string[] | null
  replyManual: readonly string[] | null
  told: { favourites: number | null; reblogs: number | null }
  /** What it quotes now, if that is known here. */
  quotedId: StatusId | null
  /** When it became so; null when it does not say: then whatever is different is as new as this. */
  editedAt: Date | null
}

type Current = Pick<
  Selectable<StatusesTable>,
  | 'content'
  | 'spoiler_text'
  | 'sensitive'
  | 'language'
  | 'media_ids'
  | 'poll_id'
  | 'quote_automatic'
  | 'quote_manual'
  | 'reply_automatic'
  | 'reply_manual'
  | 'created_at'
  | 'edited_at'
>

/**
 * Makes a status what its author says, and keeps the version it was, when that is newer than what is stored. Otherwise
 * only what changes without an edit is taken: votes, counters, who may quote and answer it. `quietly`: that alone in any case.
 * Returns false when the status is not this author's, or gone.
 */
export async function saveRemoteEdit(
  ctx: Ctx,
  edit: RemoteEdit,
  options: { quietly?: boolean; onSaved?(tx: Tx): Promise<void> } = {},
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const current = await lockRemote(tx, edit)
    if (!current) return false
    if (options.quietly !== true && isNewer(current, edit)) {
      if (await saveVersion(tx, edit, current)) await options.onSaved?.(tx)
      await endOtherQuote(tx, edit.statusId, edit.quotedId)
    } else await saveVotes(tx, edit)
    if (!isOlder(current, edit)) await savePolicy(tx, edit, current)
    await saveCounters(tx, edit)
    return true
  })
}

async function lockRemote(tx: Tx, { statusId, author }: RemoteEdit): Promise<Current | undefined> {
  const { rows } = await sql<Current>`
    select content, spoiler_text, sensitive, language, media_ids, poll_id, quote_automatic, quote_manual,
      reply_automatic, reply_manual, created_at, edited_at
    from statuses
    where id = ${statusId} and account_id = ${author.id} and not local and reblog_of_id is null and deleted_at is null
    for no key update`.execute(tx.db)
  return rows[0]
}

const isNewer = (current: Current, { editedAt }: RemoteEdit) =>
  editedAt === null || editedAt > (current.edited_at ?? current.created_at)

/** It was overtaken on its way. What changes without an edit bears the time of what is stored. */
const isOlder = (current: Current, { editedAt }: RemoteEdit) =>
  editedAt !== null && editedAt < (current.edited_at ?? current.created_at)

/** Returns whether anything that people see is different. Nothing is written otherwise but names. */
async function saveVersion(tx: Tx, edit: RemoteEdit, current: Current): Promise<boolean> {
  const { statusId } = edit
  const status = { id: statusId, accountId: edit.author.id }
  const poll = await lockRemotePoll(tx, statusId)
  const otherMedia = await isMediaChanged(tx, edit, current)
  const otherPoll = isOtherPoll(poll, edit.poll)
  if (!otherPoll && poll && edit.poll) await saveTold(tx, statusId, poll, edit.poll)
  if (!otherMedia && !otherPoll && !isTextChanged(current, edit)) return false
  await keepOriginal(tx, statusId)
  const mediaIds = await changeRemoteMedia(tx, status, edit.media)
  const pollId = otherPoll ? await replaceRemotePoll(tx, status, edit.poll) : current.poll_id
  await sql`
    update statuses set content = ${edit.content}, spoiler_text = ${edit.spoilerText}, sensitive = ${edit.sensitive},
      language = ${edit.language}, url = ${edit.url}, media_ids = ${mediaIds}::bigint[], poll_id = ${pollId},
      edited_at = ${edit.editedAt ?? new Date(tx.clock.now())}, version = version + 1
    where id = ${statusId}`.execute(tx.db)
  await saveTags(tx, statusId, edit.hashtags)
  await saveMentions(tx, statusId, edit.mentioned)
  await saveRemoteEmojis(tx, edit.author.domain, edit.emojis)
  await tx.emit({ type: 'status.updated', statusId, editId: await insertVersion(tx, statusId) })
  return true
}

const isTextChanged = (current: Current, edit: RemoteEdit) =>
  current.content !== edit.content ||
  current.spoiler_text !== edit.spoilerText ||
  current.sensitive !== edit.sensitive ||
  current.language !== edit.language

/** Whether the files are others than before, or described in other words. */
async function isMediaChanged(tx: Tx, edit: RemoteEdit, current: Current): Promise<boolean> {
  const { rows } = await sql<{ remote_url: string | null; description: string }>`
    select remote_url, description from media_attachments where id = any(${current.media_ids}::bigint[])
    order by array_position(${current.media_ids}::bigint[], id)`.execute(tx.db)
  const before = rows.map((row) => [row.remote_url, row.description])
  return JSON.stringify(before) !== JSON.stringify(edit.media.map((one) => [one.url, one.description]))
}

async function saveVotes(tx: Tx, { statusId, poll: told }: RemoteEdit): Promise<void> {
  if (told === null) return
  const poll = await lockRemotePoll(tx, statusId)
  if (poll && !isOtherPoll(poll, told)) await saveTold(tx, statusId, poll, told)
}

async function saveTold(
  tx: Tx,
  statusId: StatusId,
  poll: Parameters<typeof updateTallies>[1],
  told: RemotePoll,
): Promise<void> {
  if (!(await updateTallies(tx, poll, told))) return
  await sql`update statuses set version = version + 1 where id = ${statusId}`.execute(tx.db)
}

async function savePolicy(tx: Tx, edit: RemoteEdit, current: Current): Promise<void> {
  const same =
    String(current.quote_automatic) === String(edit.quoteAutomatic) &&
    String(current.quote_manual) === String(edit.quoteManual) &&
    isSamePolicy(current.reply_automatic, edit.replyAutomatic) &&
    isSamePolicy(current.reply_manual, edit.replyManual)
  if (same) return
  await sql`
    update statuses set quote_automatic = ${edit.quoteAutomatic}::text[], quote_manual = ${edit.quoteManual}::text[],
      reply_automatic = ${edit.replyAutomatic}::text[], reply_manual = ${edit.replyManual}::text[],
      version = version + 1
    where id = ${edit.statusId}`.execute(tx.db)
}

async function saveCounters(tx: Tx, { statusId, told }: RemoteEdit): Promise<void> {
  if (told.favourites === null && told.reblogs === null) return
  await sql`
    insert into status_stats (status_id, told_favourites_count, told_reblogs_count)
    values (${statusId}, ${told.favourites}, ${told.reblogs})
    on conflict (status_id) do update set
      told_favourites_count = coalesce(excluded.told_favourites_count, status_stats.told_favourites_count),
      told_reblogs_count = coalesce(excluded.told_reblogs_count, status_stats.told_reblogs_count)`.execute(
    tx.db,
  )
}
