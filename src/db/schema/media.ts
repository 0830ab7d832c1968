import type { Generated } from 'kysely'
import type { DefaultJson, DefaultTime, Id, Time } from './types.ts'
import type { MediaColors, MediaFacts } from '#lib/media.ts'

export interface MediaAttachmentsTable {
  id: Id
  account_id: Id
  status_id: Id | null
  scheduled_status_id: Id | null
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
  original_bytes: Generated<Id>
  preview_bytes: Generated<Id>
  upload_key: string | null
  attempts: Generated<number>
  remote_url: string | null
  remote_preview_url: string | null
  cached_at: Time | null
  used_at: Time | null
  free_since: DefaultTime
  content_hash: Buffer | null
  created_at: DefaultTime
  draft_id: Id | null
}

export interface AbandonedFilesTable {
  key: string
  delete_after: Time
}
