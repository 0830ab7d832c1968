import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { MediaId } from '#lib/id.ts'

/** Bytes of the originals that lie here, by the ids of their attachments. What is elsewhere is left out. */
export async function loadMediaSizes(reader: Reader, ids: readonly MediaId[]): Promise<Map<MediaId, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: MediaId; bytes: number }>`
    select id, original_bytes::float8 as bytes from media_attachments
    where id = any(${ids}::bigint[]) and original_key is not null and original_bytes > 0`.execute(reader.db)
  return new Map(rows.map((row) => [row.id, row.bytes]))
}
