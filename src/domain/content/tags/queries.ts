import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { isHashtag, normaliseHashtag } from '#lib/text/hashtag.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { dayLength, dayStart, fillWeek, weekStart, type UseDay } from '#lib/time/use-days.ts'
import type { AccountId, IdCursor, TagId } from '#lib/id.ts'

export interface TagFacts {
  id: TagId
  /** The normal form, by which it is found. */
  name: string
  /** As it was first written. */
  display_name: string
}

const maxLength = 256

/** A tag's name as somebody wrote it, with or without the sign. Throws `not_found` for what no tag can be called. */
export function parseTagName(text: string): { name: string; display: string } {
  const display = text.replace(/^[#＃]/u, '')
  if (!isTagName(text)) throw notFound()
  return { name: normaliseHashtag(display), display }
}

/** Whether a tag can be called so, with or without the sign. */
export function isTagName(text: string): boolean {
  const display = text.replace(/^[#＃]/u, '')
  return display.length <= maxLength && isHashtag(display)
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

/** Those of these names, in normal form, that staff let nobody use. */
export async function listUnusable(reader: Reader, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const { rows } = await sql<{ name: string }>`
    select name from tags where name = any(${names}::text[]) and not usable order by name`.execute(reader.db)
  return rows.map((row) => row.name)
}

/** Throws `invalid` when staff let nobody use one of these hashtags. */
export async function assertUsable(
  reader: Reader,
  hashtags: readonly { name: string; display: string }[],
): Promise<void> {
  const barred = new Set(
    await listUnusable(
      reader,
      hashtags.map((tag) => tag.name),
    ),
  )
  const written = hashtags.filter((tag) => barred.has(tag.name)).map((tag) => tag.display)
  if (written.length === 0) return
  throw invalid('text', 'disallowed_hashtags', { count: written.length, names: written.join(', ') })
}

export interface TagSearch {
  /** The beginning of a name, with or without the sign. */
  text: string
  limit: number
  offset: number
  excludeUnreviewed: boolean
  /** Only the tag of exactly this name. */
  exact?: boolean
}

/** Tags that are looked at: those used last. */
const maxCandidates = 200
/** Uses that are counted of one tag. */
const maxUses = 1000

/**
 * Listable tags whose names begin so: the exact one first, then those used most in the last days; of those used alike the
 * shorter one, then by the alphabet, as Mastodon has it.
 */
export async function searchTags(reader: Reader, search: TagSearch): Promise<TagFacts[]> {
  const prefix = normaliseHashtag(search.text.trim().replace(/^[#＃]/u, ''))
  if (prefix === '') return []
  const ask = search.excludeUnreviewed ? askReviewed : askListable
  const end = search.exact ? null : `${prefix}\u{10FFFF}`
  const { rows } = await ask(
    reader.db,
    prefix,
    end,
    weekStart(reader.clock.now()),
    search.limit,
    search.offset,
  )
  return rows
}

type SearchArguments = [
  prefix: string,
  /** What names end before; null: the name is the prefix. */
  end: string | null,
  weekStart: IdCursor,
  limit: number,
  offset: number,
]

const askListable = keepSearch(sql`listable`)
const askReviewed = keepSearch(sql`listable and reviewed_at is not null`)

function keepSearch(allowed: RawBuilder<unknown>) {
  return keepStatement(
    (db: QueryExecutorProvider, ...[prefix, end, since, limit, offset]: SearchArguments) => {
      const named = end === null ? sql`name = ${prefix}` : sql`name ~>=~ ${prefix} and name ~<~ ${end}`
      return sql<TagFacts>`
    select t.id, t.name, t.display_name from (
      select id, name, display_name, last_status_at from tags where ${named} and ${allowed}
      order by name <> ${prefix}, last_status_at desc nulls last limit ${sql.lit(maxCandidates)}) t
    cross join lateral (
      select count(*) as uses from (
        select 1 from status_tags st
        where st.tag_id = t.id and st.status_id >= ${since}::bigint limit ${sql.lit(maxUses)}) u) u
    order by t.name <> ${prefix}, u.uses desc, length(t.name), t.name
    limit ${limit} offset ${offset}`.execute(db)
    },
  )
}

/** The tags somebody follows, newest first. The cursors are ids of the follows. */
export async function listFollowedTags(
  reader: Reader,
  viewerId: AccountId,
  page: PageRequest,
): Promise<Page<TagFacts>> {
  const { rows } = await sql<TagFacts & { cursor: IdCursor }>`
    select t.id, t.name, t.display_name, f.id as cursor
    from tag_follows f join tags t on t.id = f.tag_id
    where f.account_id = ${viewerId} and ${inPage('f.id', page)} ${orderAndLimit('f.id', page)}`.execute(
    reader.db,
  )
  return toPage(rows, page, (row) => row.cursor)
}

/** Which of these tags somebody follows. */
export async function loadFollowedTagIds(
  reader: Reader,
  viewerId: AccountId,
  ids: readonly TagId[],
): Promise<Set<TagId>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ tag_id: TagId }>`
    select tag_id from tag_follows where account_id = ${viewerId} and tag_id = any(${ids}::bigint[])`.execute(
    reader.db,
  )
  return new Set(rows.map((row) => row.tag_id))
}

/** The use of tags on the last seven days, in one query: public posts of accounts in good standing. */
export async function loadTagHistories(reader: Reader, ids: readonly TagId[]): Promise<Map<TagId, UseDay[]>> {
  if (ids.length === 0) return new Map()
  const now = reader.clock.now()
  const { rows } = await sql<UseDay & { id: TagId }>`
    select st.tag_id as id, ((st.status_id >> 16) / ${dayLength}::bigint)::int as day,
      count(*)::int as uses, count(distinct s.account_id)::int as accounts
    from status_tags st
    join statuses s on s.id = st.status_id
    join accounts a on a.id = s.account_id
    where st.tag_id = any(${ids}::bigint[])
      and st.status_id >= ${weekStart(now)}::bigint and st.status_id < ${dayStart(now, -1)}::bigint
      and s.visibility = 'public' and not s.local_only and s.deleted_at is null
      and a.silenced_at is null and a.suspended_at is null and a.deleted_at is null
    group by 1, 2`.execute(reader.db)
  return fillWeek(ids, rows, now)
}
