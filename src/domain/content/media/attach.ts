import { sql } from 'kysely'
import type { Reader, Tx } from '#ports/ctx.ts'
import { unprocessable } from '#lib/errors.ts'
import { loadMedia, type MediaRow } from './load.ts'
import type { AccountId, DraftId, MediaId, ScheduledStatusId, StatusId } from '#lib/id.ts'

/** What an attachment may already belong to: an edit keeps its own, a scheduled status or a draft gives its own away. */
export interface MediaHolder {
  statusId?: StatusId
  scheduledStatusId?: ScheduledStatusId
  draftId?: DraftId
}

/**
 * The attachments a status of this account may carry together, in the order asked for. Throws `invalid` when there
 * are too many, when some are not the account's own, belong elsewhere, or are not ready, and for a mix of a film or
 * sound with anything else.
 */
export async function getAttachableMedia(
  reader: Reader,
  accountId: AccountId,
  ids: readonly MediaId[],
  holder: MediaHolder = {},
): Promise<MediaRow[]> {
  const wanted = [...new Set(ids)]
  const max = reader.config.limits.mediaAttachments
  if (wanted.length > max) throw unprocessable('too_many_attachments', { max })
  const found = await loadMedia(reader, wanted)
  const media = wanted.map((id) => {
    const row = found.get(id)
    if (!row || row.account_id !== accountId || !isFree(row, holder)) throw unprocessable('media_not_found')
    return row
  })
  if (media.length > 1 && media.some((row) => row.type === 'video' || row.type === 'audio')) {
    throw unprocessable('video_with_images')
  }
  if (media.some((row) => row.state !== 'complete')) {
    throw unprocessable('attachments_processing')
  }
  return media
}

function isFree(row: MediaRow, { statusId, scheduledStatusId, draftId }: MediaHolder): boolean {
  return (
    (row.status_id === null || row.status_id === statusId) &&
    (row.scheduled_status_id === null || row.scheduled_status_id === scheduledStatusId) &&
    (row.draft_id === null || row.draft_id === draftId)
  )
}

/**
 * Gives attachments to a status, in the transaction that writes it. Throws `invalid` when another one took them since
 * `getAttachableMedia`. `holder`: what kept them until now.
 */
export async function attachMedia(
  tx: Tx,
  status: { id: StatusId; accountId: AccountId },
  ids: readonly MediaId[],
  holder: MediaHolder = {},
): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql`
    update media_attachments set status_id = ${status.id}, scheduled_status_id = null, draft_id = null
    where id = any(${ids}::bigint[]) and account_id = ${status.accountId}
      and (status_id is null or status_id = ${status.id}) and ${isHeldBy(holder)}
    returning id`.execute(tx.db)
  if (rows.length !== ids.length) throw unprocessable('media_not_found')
}

/**
 * Keeps attachments for a scheduled status, in the transaction that writes it. Throws `invalid` when something else
 * took them since `getAttachableMedia`. `holder`: what kept them until now.
 */
export async function reserveMedia(
  tx: Tx,
  scheduled: { id: ScheduledStatusId; accountId: AccountId },
  ids: readonly MediaId[],
  holder: MediaHolder = {},
): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql`
    update media_attachments set scheduled_status_id = ${scheduled.id}, draft_id = null
    where id = any(${ids}::bigint[]) and account_id = ${scheduled.accountId}
      and status_id is null and ${isHeldBy(holder)}
    returning id`.execute(tx.db)
  if (rows.length !== ids.length) throw unprocessable('media_not_found')
}

/** Nothing that waits has it, but the holder. */
const isHeldBy = ({ scheduledStatusId, draftId }: MediaHolder) => sql<boolean>`(
  (scheduled_status_id is null or scheduled_status_id = ${scheduledStatusId ?? null}::bigint)
  and (draft_id is null or draft_id = ${draftId ?? null}::bigint))`

/**
 * Has a draft hold these attachments, and no others, in the transaction that writes it: they are not swept meanwhile,
 * processed or not. Throws `invalid` when some are not the account's own or belong elsewhere.
 */
export async function holdMedia(
  tx: Tx,
  draft: { id: DraftId; accountId: AccountId },
  ids: readonly MediaId[],
): Promise<void> {
  await sql`
    update media_attachments set draft_id = null, free_since = ${new Date(tx.clock.now())}
    where draft_id = ${draft.id} and id <> all(${ids}::bigint[])`.execute(tx.db)
  if (ids.length === 0) return
  const { rows } = await sql`
    update media_attachments set draft_id = ${draft.id}
    where id = any(${ids}::bigint[]) and account_id = ${draft.accountId}
      and status_id is null and ${isHeldBy({ draftId: draft.id })}
    returning id`.execute(tx.db)
  if (rows.length !== ids.length) throw unprocessable('media_not_found')
}
