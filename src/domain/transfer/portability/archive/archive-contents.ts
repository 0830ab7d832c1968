// What goes into an archive, read a page at a time. Only what its owner wrote, and the addresses of what they marked
// and may still see (ACC-2, ACC-25).
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { statusUri } from '#domain/server/instance/urls.ts'
import { loadNotes, type NoteFacts } from '#domain/content/statuses/load-note-data.ts'
import { visibleTo } from '#domain/content/statuses/visibility.ts'
import { pick } from '#lib/collections.ts'

/** Rows read at a time: so much is in memory, however long the list is. */
const batch = 500

/** What the account wrote and boosted, oldest first. Boosts of what it may not see any more are left out. */
export async function* readOutbox(reader: Reader, accountId: Id): AsyncGenerator<NoteFacts> {
  const ids = pages(
    reader,
    (after) => sql<{ cursor: Id }>`
      select s.id as cursor from statuses s
      where s.account_id = ${accountId} and s.deleted_at is null and s.id > ${after}::bigint
        and (s.reblog_of_id is null or exists (
          select 1 from statuses o where o.id = s.reblog_of_id and ${visibleTo(accountId, 'o')} offset 0))
      order by cursor limit ${batch}`,
  )
  for await (const rows of ids) {
    const page = rows.map((row) => row.cursor)
    yield* pick(page, await loadNotes(reader, page))
  }
}

/** The addresses of the statuses that the account likes, in the order in which it did. */
export const readLikes = (reader: Reader, accountId: Id) => readMarked(reader, accountId, 'favourites')

/** The addresses of the statuses that the account keeps, in the order in which it did. */
export const readBookmarks = (reader: Reader, accountId: Id) => readMarked(reader, accountId, 'bookmarks')

async function* readMarked(
  reader: Reader,
  accountId: Id,
  table: 'favourites' | 'bookmarks',
): AsyncGenerator<string> {
  const marked = pages(
    reader,
    (after) => sql<{ cursor: Id; id: Id; uri: string | null; username: string }>`
      select m.id as cursor, s.id, s.uri, a.username
      from ${sql.table(table)} m join statuses s on s.id = m.status_id join accounts a on a.id = s.account_id
      where m.account_id = ${accountId} and m.id > ${after}::bigint and ${visibleTo(accountId, 's')}
      order by cursor limit ${batch}`,
  )
  for await (const rows of marked) {
    for (const row of rows) yield row.uri ?? statusUri(reader.config, row.username, row.id)
  }
}

/** The files of what the account wrote, as they are stored. */
export async function* readMediaKeys(reader: Reader, accountId: Id): AsyncGenerator<string> {
  const media = pages(
    reader,
    (after) => sql<{ cursor: Id; original_key: string }>`
      select m.id as cursor, m.original_key
      from media_attachments m join statuses s on s.id = m.status_id
      where m.account_id = ${accountId} and m.id > ${after}::bigint and m.original_key is not null
        and s.deleted_at is null and m.id = any(s.media_ids)
      order by cursor limit ${batch}`,
  )
  for await (const rows of media) for (const row of rows) yield row.original_key
}

/** `select` reads the `batch` rows after a cursor. */
async function* pages<Row extends { cursor: Id }>(
  reader: Reader,
  select: (after: Id) => RawBuilder<Row>,
): AsyncGenerator<Row[]> {
  for (let after = '0'; ;) {
    const { rows } = await select(after).execute(reader.db)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < batch) return
    after = last.cursor
  }
}
