import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { AnnouncementsTable } from '#db/schema/people-and-reach.ts'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { visibleTo } from '#domain/content/statuses/visibility.ts'
import { groupBy } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { AccountId, AnnouncementId, StatusId } from '#lib/id.ts'

export interface AnnouncementRow extends Pick<
  Selectable<AnnouncementsTable>,
  | 'id'
  | 'text'
  | 'starts_at'
  | 'ends_at'
  | 'all_day'
  | 'scheduled_at'
  | 'published_at'
  | 'unpublished_at'
  | 'created_at'
  | 'updated_at'
> {
  /** HTML. */
  content: string
}

/** One as a person sees it. */
export interface ShownAnnouncement extends AnnouncementRow {
  published_at: Date
  /** They have dismissed it. */
  read: boolean
}

const columns = sql`n.id, n.text, n.content, n.starts_at, n.ends_at, n.all_day, n.scheduled_at, n.published_at,
  n.unpublished_at, n.created_at, n.updated_at`

/** The condition on `announcements n` that people see it. Its end counts at once, before the job comes by. */
function isShown(now: Date): RawBuilder<boolean> {
  return sql`(n.published_at is not null and n.unpublished_at is null and (n.ends_at is null or n.ends_at > ${now}))`
}

/** What people see, by the time it is about: its start, else its schedule, else its publication. */
export async function listAnnouncements(
  reader: Reader,
  viewerId: AccountId,
  { withDismissed }: { withDismissed: boolean },
): Promise<ShownAnnouncement[]> {
  const dismissed = sql`exists (
    select 1 from announcement_dismissals d where d.announcement_id = n.id and d.account_id = ${viewerId} offset 0)`
  const { rows } = await sql<ShownAnnouncement>`
    select ${columns}, ${dismissed} as read from announcements n
    where ${isShown(new Date(reader.clock.now()))} and (${withDismissed} or not ${dismissed})
    order by coalesce(n.starts_at, n.scheduled_at, n.published_at), n.id`.execute(reader.db)
  return rows
}

/** One that people see, as nobody in particular. Null when they do not. */
export async function findShownAnnouncement(
  reader: Reader,
  id: AnnouncementId,
): Promise<ShownAnnouncement | null> {
  const { rows } = await sql<ShownAnnouncement>`
    select ${columns}, false as read from announcements n
    where n.id = ${id} and ${isShown(new Date(reader.clock.now()))}`.execute(reader.db)
  return rows[0] ?? null
}

/** Throws `not_found` unless people see this announcement. */
export async function assertShown(reader: Reader, id: AnnouncementId): Promise<void> {
  const { rows } = await sql`
    select 1 from announcements n where n.id = ${id} and ${isShown(new Date(reader.clock.now()))}`.execute(
    reader.db,
  )
  if (rows.length === 0) throw notFound()
}

/** A page of all announcements, whatever their state, for staff. */
export async function listAllAnnouncements(
  reader: Reader,
  page: PageRequest,
): Promise<Page<AnnouncementRow>> {
  const { rows } = await sql<AnnouncementRow>`
    select ${columns} from announcements n where ${inPage('n.id', page)} ${orderAndLimit('n.id', page)}`.execute(
    reader.db,
  )
  return toPage(rows, page, (row) => row.id)
}

/** One of any state, for staff. Throws `not_found`. */
export async function getAnnouncement(reader: Reader, id: AnnouncementId): Promise<AnnouncementRow> {
  const { rows } =
    await sql<AnnouncementRow>`select ${columns} from announcements n where n.id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

export interface AnnouncementReaction {
  announcement_id: AnnouncementId
  name: string
  count: number
  me: boolean
  domain: null
  image_key: string | null
  static_key: string | null
}

/** The reactions to announcements in the order they began. */
export async function loadAnnouncementReactions(
  reader: Reader,
  viewerId: AccountId | null,
  ids: readonly AnnouncementId[],
): Promise<Map<AnnouncementId, AnnouncementReaction[]>> {
  const { rows } = await sql<AnnouncementReaction>`
    select t.announcement_id, t.name, t.count, null as domain, e.image_key, e.static_key, exists (
      select 1 from announcement_reactions r
      where r.announcement_id = t.announcement_id and r.account_id = ${viewerId} and r.name = t.name offset 0) as me
    from announcement_reaction_counts t left join custom_emojis e on e.id = t.custom_emoji_id
    where t.announcement_id = any(${ids}::bigint[]) and (t.custom_emoji_id is null or not e.disabled)
    order by t.announcement_id, t.first_id`.execute(reader.db)
  return groupBy(rows, (row) => row.announcement_id)
}

export type LinkedStatus = Pick<Selectable<StatusesTable>, 'id' | 'uri' | 'url'> &
  Pick<Selectable<AccountsTable>, 'username'>

/** The statuses that anybody may see among these, by id or by the address that names them in the fediverse. */
export async function loadLinkedStatuses(
  reader: Reader,
  { ids, uris }: { ids: readonly StatusId[]; uris: readonly string[] },
): Promise<LinkedStatus[]> {
  if (ids.length + uris.length === 0) return []
  const { rows } = await sql<LinkedStatus>`
    select s.id, s.uri, s.url, a.username from statuses s join accounts a on a.id = s.account_id
    where (s.id = any(${ids}::bigint[]) or s.uri = any(${uris}::text[])) and ${visibleTo(null, 's')}`.execute(
    reader.db,
  )
  return rows
}
