import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { normaliseHashtag } from '#lib/text/hashtag.ts'
import { visibleWithOriginal } from '#domain/content/statuses/visibility.ts'
import type { AccountId, IdCursor, StatusId } from '#lib/id.ts'

export interface AccountStatusesOptions {
  onlyMedia?: boolean | undefined
  excludeReplies?: boolean | undefined
  excludeReblogs?: boolean | undefined
  pinned?: boolean | undefined
  tagged?: string | undefined
}

interface Row {
  id: StatusId
  cursor: IdCursor
}

/** Ids of what an account wrote, as the viewer may see it. Pinned ones come newest pin first, with pins as cursors. */
export async function listAccountStatuses(
  reader: Reader,
  viewerId: AccountId | null,
  query: { accountId: AccountId; options: AccountStatusesOptions },
  page: PageRequest,
): Promise<Page<StatusId>> {
  const rows = query.options.pinned
    ? await readPinned(reader, viewerId, query.accountId, page)
    : await readWritten(reader, viewerId, query, page)
  const found = toPage(rows, page, (row) => row.cursor)
  return { ...found, items: found.items.map((row) => row.id) }
}

async function readWritten(
  reader: Reader,
  viewerId: AccountId | null,
  query: { accountId: AccountId; options: AccountStatusesOptions },
  page: PageRequest,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select s.id, s.id as cursor from statuses s
    where s.account_id = ${query.accountId} and s.deleted_at is null and ${filters(query.options)}
      and ${visibleWithOriginal(viewerId, 's')} and ${inPage('s.id', page)}
    ${orderAndLimit('s.id', page)}`.execute(reader.db)
  return rows
}

async function readPinned(
  reader: Reader,
  viewerId: AccountId | null,
  accountId: AccountId,
  page: PageRequest,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select s.id, p.id as cursor from status_pins p join statuses s on s.id = p.status_id
    where p.account_id = ${accountId} and s.deleted_at is null
      and ${visibleWithOriginal(viewerId, 's')} and ${inPage('p.id', page)}
    ${orderAndLimit('p.id', page)}`.execute(reader.db)
  return rows
}

function filters(options: AccountStatusesOptions): RawBuilder<boolean> {
  const conditions = [sql`true`]
  if (options.onlyMedia) conditions.push(sql`s.media_ids <> '{}'`)
  if (options.excludeReplies) {
    conditions.push(sql`(not s.reply or s.in_reply_to_account_id = s.account_id)`)
  }
  if (options.excludeReblogs) conditions.push(sql`s.reblog_of_id is null`)
  if (options.tagged) {
    conditions.push(sql`exists (select 1 from status_tags st join tags t on t.id = st.tag_id
      where st.status_id = s.id and t.name = ${normaliseHashtag(options.tagged)})`)
  }
  return sql`(${sql.join(conditions, sql` and `)})`
}
