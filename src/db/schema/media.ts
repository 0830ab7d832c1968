import type { Generated } from 'kysely'
import type { DefaultJson, DefaultTime, Time } from './types.ts'
import type { MediaColors, MediaFacts } from '#lib/media.ts'
import type { AccountId, BigInteger, DraftId, MediaId, ScheduledStatusId, StatusId } from '#lib/id.ts'

export interface MediaAttachmentsTable {
  id: MediaId
  account_id: AccountId
  status_id: StatusId | null
  scheduled_status_id: ScheduledStatusId | null
  type: Generated<string>
  state: Generated<string>
  error: string | null
  description: Generated<string>
  focus_x: number | null
  focus_y: number | null
  blurhash: string | null
  facts: DefaultJson<MediaFacts>
  preview_width: number | null
  preview_height: number | null
  /** Null where none were looked for. */
  preview_colors: MediaColors | null
  original_key: string | null
  preview_key: string | null
  original_bytes: Generated<BigInteger>
  preview_bytes: Generated<BigInteger>
  upload_key: string | null
  attempts: Generated<number>
  remote_url: string | null
  remote_preview_url: string | null
  cached_at: Time | null
  used_at: Time | null
  free_since: DefaultTime
  content_hash: Buffer | null
  created_at: DefaultTime
  draft_id: DraftId | null
}

export interface AbandonedFilesTable {
  key: string
  delete_after: Time
}
