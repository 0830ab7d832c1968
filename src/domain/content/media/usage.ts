import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

export interface Amount {
  files: number
  bytes: number
}

/** What stored files take, as far as their rows tell. `cached`: copies of other servers' files. */
export interface MediaUsage {
  attachments: { local: Amount; cached: Amount }
  previews: { local: Amount; cached: Amount }
  cards: Amount
}

/** Adds up all attachments and preview cards: long on a large server. */
export async function sumMediaUsage(reader: Reader): Promise<MediaUsage> {
  const { rows } = await sql<MediaUsage>`
    select
      json_build_object(
        'local', json_build_object('files', count(original_key) filter (where remote_url is null),
          'bytes', coalesce(sum(original_bytes) filter (where remote_url is null), 0)),
        'cached', json_build_object('files', count(original_key) filter (where remote_url is not null),
          'bytes', coalesce(sum(original_bytes) filter (where remote_url is not null), 0))) as attachments,
      json_build_object(
        'local', json_build_object('files', count(preview_key) filter (where remote_url is null),
          'bytes', coalesce(sum(preview_bytes) filter (where remote_url is null), 0)),
        'cached', json_build_object('files', count(preview_key) filter (where remote_url is not null),
          'bytes', coalesce(sum(preview_bytes) filter (where remote_url is not null), 0))) as previews,
      (select json_build_object('files', count(image_key), 'bytes', coalesce(sum(image_bytes), 0)) from preview_cards)
        as cards
    from media_attachments`.execute(reader.db)
  return rows[0] as MediaUsage
}
