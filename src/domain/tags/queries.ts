import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { groupBy } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import { isHashtag, normaliseHashtag } from '#lib/hashtag.ts'
import { timeToId } from '#lib/ids.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'

export interface TagFacts {
  id: Id
  /** The normal form, by which it is found. */
  name: string
  /** As it was first written. */
  display_name: string
}

/** How much a tag was used on one day, which starts at `day`, seconds since 1970. */
export interface TagDay {
  day: number
  uses: number
  accounts: number
}

const maxLength = 256
const daySeconds = 86_400
/** Days that are told of, today among them. */
const historyDays = 7

/** A tag's name as somebody wrote it, with or without the sign. Throws `not_found` for what no tag can be called. */
export function parseTagName(text: string): { name: string; display: string } {
  const display = text.replace(/^[#＃]/u, '')
  if (display.length > maxLength || !isHashtag(display)) throw notFound()
  return { name: normaliseHashtag(display), display }
}

/** The tag with this name in normal form, or null. */
export async function findTag(reader: Reader, name: string): Promise<TagFacts | null> {
  const row = await reader.db
    .selectFrom('tags')
    .select(['id', 'name', 'display_name'])
    .where('name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

export interface TagSearch {
  /** The beginning of a name, with or without the sign. */
  text: string
  limit: number
  offset: number
  excludeUnreviewed: boolean
}

/** Listable tags whose names begin so, the exact one first, then the most recently used. */
export async function searchTags(reader: Reader, search: TagSearch): Promise<TagFacts[]> {
  const prefix = normaliseHashtag(search.text.replace(/^[#＃]/u, ''))
  if (prefix === '') return []
  const reviewed = search.excludeUnreviewed ? sql`and reviewed_at is not null` : sql``
  const { rows } = await sql<TagFacts>`
    select id, name, display_name from tags
    where name ~>=~ ${prefix} and name ~<~ ${`${prefix}\u{10FFFF}`} and listable ${reviewed}
    order by name <> ${prefix}, last_status_at desc nulls last, id
    limit ${search.limit} offset ${search.offset}`.execute(reader.db)
  return rows
}

/** The tags somebody follows, newest first. The cursors are ids of the follows. */
export async function listFollowedTags(
  reader: Reader,
  viewerId: Id,
  page: PageRequest,
): Promise<Page<TagFacts>> {
  const { rows } = await sql<TagFacts & { cursor: Id }>`
    select t.id, t.name, t.display_name, f.id as cursor
    from tag_follows f join tags t on t.id = f.tag_id
    where f.account_id = ${viewerId} and ${inPage('f.id', page)} ${orderAndLimit('f.id', page)}`.execute(
    reader.db,
  )
  return toPage(rows, page, (row) => row.cursor)
}

/** Which of these tags somebody follows. */
export async function loadFollowedTagIds(reader: Reader, viewerId: Id, ids: readonly Id[]): Promise<Set<Id>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ tag_id: Id }>`
    select tag_id from tag_follows where account_id = ${viewerId} and tag_id = any(${ids}::bigint[])`.execute(
    reader.db,
  )
  return new Set(rows.map((row) => row.tag_id))
}

/**
 * The use of tags on the last seven days (UTC), today first, in one query: public posts of accounts in good standing.
 * The days come from the ids, which tell when a post was made.
 */
export async function loadTagHistories(reader: Reader, ids: readonly Id[]): Promise<Map<Id, TagDay[]>> {
  const today = Math.floor(reader.clock.now() / 1000 / daySeconds)
  const since = timeToId((today - historyDays + 1) * daySeconds * 1000)
  const used = groupBy(await readUses(reader, ids, since), (row) => row.tag_id)
  const days = Array.from({ length: historyDays }, (_, ago) => today - ago)
  const historyOf = (id: Id) =>
    days.map((day) => {
      const found = used.get(id)?.find((row) => row.day === day)
      return { day: day * daySeconds, uses: found?.uses ?? 0, accounts: found?.accounts ?? 0 }
    })
  return new Map(ids.map((id) => [id, historyOf(id)]))
}

async function readUses(reader: Reader, ids: readonly Id[], since: Id): Promise<(TagDay & { tag_id: Id })[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<TagDay & { tag_id: Id }>`
    select st.tag_id, ((st.status_id >> 16) / ${daySeconds * 1000}::bigint)::int as day,
      count(*)::int as uses, count(distinct s.account_id)::int as accounts
    from status_tags st
    join statuses s on s.id = st.status_id
    join accounts a on a.id = s.account_id
    where st.tag_id = any(${ids}::bigint[]) and st.status_id >= ${since}::bigint
      and s.visibility = 'public' and s.deleted_at is null
      and a.silenced_at is null and a.suspended_at is null and a.deleted_at is null
    group by 1, 2`.execute(reader.db)
  return rows
}
