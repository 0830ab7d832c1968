import { sql, type Selectable } from 'kysely'
import type { MediaAttachmentsTable } from '#db/schema/media.ts'
import type { Reader } from '#ports/ctx.ts'
import type { MediaColors, MediaFacts, MediaKind } from '#lib/media.ts'
import { keyBy } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId, MediaId } from '#lib/id.ts'

export type MediaState = 'queued' | 'in_progress' | 'complete' | 'failed'

export interface MediaRow extends Pick<
  Selectable<MediaAttachmentsTable>,
  | 'id'
  | 'account_id'
  | 'status_id'
  | 'scheduled_status_id'
  | 'draft_id'
  | 'error'
  | 'description'
  | 'focus_x'
  | 'focus_y'
  | 'blurhash'
  | 'preview_width'
  | 'preview_height'
  | 'original_key'
  | 'preview_key'
  | 'remote_url'
  | 'remote_preview_url'
> {
  type: MediaKind | 'unknown'
  state: MediaState
  facts: MediaFacts
  preview_colors: MediaColors | null
}

/** Attachments by id, whoever they belong to: callers have found that the viewer may see what carries them. */
export async function loadMedia(reader: Reader, ids: readonly MediaId[]): Promise<Map<MediaId, MediaRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<MediaRow>`
    select id, account_id, status_id, scheduled_status_id, draft_id, type, state, error, description, focus_x, focus_y,
      blurhash, facts, preview_width, preview_height, preview_colors, original_key, preview_key, remote_url, remote_preview_url
    from media_attachments where id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}

/** One attachment, whoever it belongs to. Throws `not_found`. */
export async function getMediaRow(reader: Reader, id: MediaId): Promise<MediaRow> {
  const row = (await loadMedia(reader, [id])).get(id)
  if (!row) throw notFound()
  return row
}

/**
 * An attachment of this account that no status carries, though a scheduled one or a draft may. Throws `not_found`, the same for
 * those of others, those of statuses, and missing ones.
 */
export async function getOwnMedia(reader: Reader, accountId: AccountId, id: MediaId): Promise<MediaRow> {
  const row = (await loadMedia(reader, [id])).get(id)
  if (!row || row.account_id !== accountId || row.status_id !== null) throw notFound()
  return row
}
