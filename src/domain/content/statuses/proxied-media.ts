import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { getMediaRow, type MediaRow } from '#domain/content/media/load.ts'
import { notFound } from '#lib/errors.ts'
import { visibleTo } from './visibility.ts'
import type { AccountId, MediaId } from '#lib/id.ts'

const hostOf = (url: RawBuilder<unknown>) =>
  sql`rtrim(lower(substring(${url} from '^https?://([^/:?#]+)')), '.')`

/**
 * Another server's attachment whose status the viewer may see. Ids can be guessed, so whoever may not see it gets
 * what they get for a missing one: `not_found`, as for servers whose media are refused, be it
 * that of the author or that of the file.
 */
export async function getProxiedMedia(
  reader: Reader,
  viewerId: AccountId | null,
  id: MediaId,
): Promise<MediaRow> {
  const { rows } = await sql<{ id: MediaId }>`
    select m.id from media_attachments m
    join statuses s on s.id = m.status_id
    join accounts a on a.id = m.account_id
    where m.id = ${id} and m.remote_url is not null and ${visibleTo(viewerId, 's')}
      and not exists (
        select 1 from domain_blocks b, unnest(array[a.domain, ${hostOf(sql`m.remote_url`)},
          ${hostOf(sql`m.remote_preview_url`)}]) h (domain)
        where (b.reject_media or b.severity = 'suspend')
          and (h.domain = b.domain or h.domain like '%.' || b.domain))`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return getMediaRow(reader, id)
}
