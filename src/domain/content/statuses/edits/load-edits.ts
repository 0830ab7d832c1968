import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { Reader } from '#ports/ctx.ts'
import { getVisibleOriginal } from '../queries.ts'
import type { AccountId, MediaId, StatusId } from '#lib/id.ts'

/** A status as it was from `created_at` on. */
export interface VersionRow {
  text: string
  content: string
  spoiler_text: string
  sensitive: boolean
  /** In the order shown, described as they were then. */
  media: { id: MediaId; description: string }[]
  poll_options: string[] | null
  created_at: Date
  author_domain: string | null
}

/** What one answer holds: the newest versions of more, in number and in bytes. */
const max = { versions: 1000, bytes: 4 * 1024 * 1024 }

/**
 * The versions of a status, or of what it boosts, oldest first; one that was never edited has one. Throws `not_found`.
 */
export async function listVersions(
  reader: Reader,
  viewerId: AccountId | null,
  id: StatusId,
): Promise<{ statusId: StatusId; versions: VersionRow[] }> {
  const { id: statusId } = await getVisibleOriginal(reader, viewerId, id)
  const { rows } = await sql<VersionRow>`
    select v.text, v.content, v.spoiler_text, v.sensitive, v.media, v.poll_options, v.created_at, v.author_domain
    from (
      select n.*, sum(n.size) over (order by n.id desc) - n.size as newer
      from (
        select e.id, e.text, e.content, e.spoiler_text, e.sensitive, e.media, e.poll_options, e.created_at, a.domain as author_domain, octet_length(e::text) as size
        from status_edits e join statuses s on s.id = e.status_id join accounts a on a.id = s.account_id
        where e.status_id = ${statusId} order by e.id desc limit ${max.versions}) n) v
    where v.newer < ${max.bytes} order by v.id desc`.execute(reader.db)
  const versions = rows.length > 0 ? rows.toReversed() : await findOnlyVersion(reader, statusId)
  return { statusId, versions }
}

async function findOnlyVersion(reader: Reader, statusId: StatusId): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select s.text, s.content, s.spoiler_text, s.sensitive, ${mediaVersion('s')} as media, p.options as poll_options,
      coalesce(s.edited_at, s.created_at) as created_at, a.domain as author_domain
    from statuses s join accounts a on a.id = s.account_id left join polls p on p.id = s.poll_id
    where s.id = ${statusId}`.execute(reader.db)
  return rows
}

/** The attachments of `statuses`, under the name `alias`, as a version keeps them. */
export function mediaVersion(alias: string): RawBuilder<unknown> {
  const ids = sql.ref(`${alias}.media_ids`)
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('id', m.id::text, 'description', m.description)
      order by array_position(${ids}, m.id))
    from media_attachments m where m.id = any(${ids})), '[]')`
}

export type SourceRow = Pick<Selectable<StatusesTable>, 'id' | 'text' | 'spoiler_text' | 'content_type'>

/** What a status, or what it boosts, was written as. Of another server's it is what came. Throws `not_found`. */
export async function getSource(
  reader: Reader,
  viewerId: AccountId | null,
  id: StatusId,
): Promise<SourceRow> {
  const { id: statusId } = await getVisibleOriginal(reader, viewerId, id)
  const { rows } = await sql<SourceRow>`
    select id, case when local then text else content end as text, spoiler_text, content_type
    from statuses where id = ${statusId}`.execute(reader.db)
  return rows[0] as SourceRow
}
