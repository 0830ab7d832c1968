import { sql, type Selectable } from 'kysely'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { visibleWithOriginal, type StatusVisibility } from './visibility.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** What commands need to know of a status. Texts are loaded by the views. */
export interface StatusFacts extends Pick<
  Selectable<StatusesTable>,
  | 'id'
  | 'account_id'
  | 'local'
  | 'in_reply_to_id'
  | 'in_reply_to_account_id'
  | 'reblog_of_id'
  | 'conversation_id'
  | 'local_only'
> {
  visibility: StatusVisibility
  /** Not everybody who sees it may answer it. */
  replies_limited: boolean
}

/** The status when the viewer may see it, else null. */
export async function findVisibleStatus(
  reader: Reader,
  viewerId: AccountId | null,
  id: StatusId,
): Promise<StatusFacts | null> {
  const { rows } = await sql<StatusFacts>`
    select s.id, s.account_id, s.visibility, s.local, s.in_reply_to_id, s.in_reply_to_account_id, s.reblog_of_id,
      s.conversation_id, s.local_only, s.reply_automatic is not null as replies_limited
    from statuses s where s.id = ${id} and ${visibleWithOriginal(viewerId, 's')}`.execute(reader.db)
  return rows[0] ?? null
}

/** The status when the viewer may see it. Throws `not_found`, the same for hidden and missing ones. */
export async function getVisibleStatus(
  reader: Reader,
  viewerId: AccountId | null,
  id: StatusId,
): Promise<StatusFacts> {
  const status = await findVisibleStatus(reader, viewerId, id)
  if (!status) throw notFound()
  return status
}

/** The status, or what it boosts: the one that favourites, bookmarks and boosts apply to. */
export async function getVisibleOriginal(
  reader: Reader,
  viewerId: AccountId | null,
  id: StatusId,
): Promise<StatusFacts> {
  const status = await getVisibleStatus(reader, viewerId, id)
  return status.reblog_of_id === null ? status : getVisibleStatus(reader, viewerId, status.reblog_of_id)
}
