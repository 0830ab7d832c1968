import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { getSettings } from '#domain/instance/settings.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { visibleTo } from '#domain/statuses/visibility.ts'
import { notificationsMuted } from './may-notify.ts'

/** A notification as it is stored. */
export interface NotificationRow {
  id: Id
  type: string
  from_account_id: Id
  status_id: Id | null
  collection_id: Id | null
  reaction_id: Id | null
  annual_report_id: Id | null
  group_key: string
  filtered: boolean
  created_at: Date
}

/** Which notifications are asked for. Kinds that do not exist match nothing. */
export interface NotificationFilter {
  types?: readonly string[] | undefined
  excludeTypes?: readonly string[] | undefined
  /** Only those that this account caused, the filtered ones among them. */
  fromAccountId?: Id | undefined
  includeFiltered?: boolean | undefined
}

/** What Pleroma's API calls the notification of an emoji reaction. */
export const reactionKind = 'pleroma:emoji_reaction'

const columns = sql`n.id, n.type, n.from_account_id, n.status_id, n.collection_id, n.reaction_id, n.annual_report_id,
  n.group_key, n.filtered, n.created_at`

/** The viewer's notifications as far as they are to be seen: see `shownTo`. Those of an extension while it is on. */
async function source(reader: Reader, viewerId: Id): Promise<RawBuilder<unknown>> {
  const reactionsOn = (await getSettings(reader)).emoji_reactions
  return sql`from notifications n
    join accounts a on a.id = n.from_account_id
    left join statuses s on s.id = n.status_id
    where n.account_id = ${viewerId} and ${shownTo(reader, viewerId)}
      and ${reactionsOn ? sql`true` : sql`n.type <> ${reactionKind}`}`
}

/** Not from those who are suspended or now muted, nor about what the viewer may no longer see. */
function shownTo(reader: Reader, viewerId: Id): RawBuilder<boolean> {
  const muted = notificationsMuted(sql`n.account_id`, sql`n.from_account_id`, new Date(reader.clock.now()))
  return sql`(a.suspended_at is null and a.deleted_at is null and not ${muted}
    and (n.status_id is null or ${visibleTo(viewerId, 's')}))`
}

function matches(filter: NotificationFilter): RawBuilder<boolean> {
  const { types, excludeTypes, fromAccountId } = filter
  const conditions = [sql`true`]
  // One kind alone is a range of an index of its own.
  if (types?.length === 1) conditions.push(sql`n.type = ${types[0]}`)
  else if (types && types.length > 0) conditions.push(sql`n.type = any(${types}::text[])`)
  if (excludeTypes && excludeTypes.length > 0) conditions.push(sql`n.type <> all(${excludeTypes}::text[])`)
  if (fromAccountId !== undefined) conditions.push(sql`n.from_account_id = ${fromAccountId}`)
  else if (!filter.includeFiltered) conditions.push(sql`not n.filtered`)
  return sql`(${sql.join(conditions, sql` and `)})`
}

/** A page of the viewer's notifications. */
export async function listNotifications(
  reader: Reader,
  viewerId: Id,
  filter: NotificationFilter,
  page: PageRequest,
): Promise<Page<NotificationRow>> {
  const { rows } = await sql<NotificationRow>`
    select ${columns} ${await source(reader, viewerId)} and ${matches(filter)} and ${inPage('n.id', page)}
    ${orderAndLimit('n.id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** One of the viewer's notifications. Throws `not_found`, also for those of others. */
export async function getNotification(reader: Reader, viewerId: Id, id: Id): Promise<NotificationRow> {
  const { rows } = await sql<NotificationRow>`
    select ${columns} ${await source(reader, viewerId)} and n.id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** How many notifications are newer than the viewer's marker, counted up to `most`. */
export async function countUnreadNotifications(
  reader: Reader,
  viewerId: Id,
  filter: NotificationFilter,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 ${await source(reader, viewerId)} and ${matches(filter)} and n.id > coalesce((
        select k.last_read_id from markers k where k.account_id = ${viewerId} and k.timeline = 'notifications'), 0)
      limit ${most}) unread`.execute(reader.db)
  return rows[0]?.count ?? 0
}
