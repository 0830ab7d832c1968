// What goes into an archive, read a page at a time. Only what its owner wrote, and the addresses of what they marked
// and may still see (ACC-2, ACC-25).
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { statusUri } from '#domain/server/instance/urls.ts'
import { loadMedia } from '#domain/content/media/load.ts'
import { loadNotes, type NoteFacts } from '#domain/content/statuses/load-note-data.ts'
import { mediaOf, statusesOf, type DraftRow } from '#domain/content/statuses/drafts/queries.ts'
import { visibleTo } from '#domain/content/statuses/visibility.ts'
import { pick } from '#lib/collections.ts'
import { formatTime } from '#lib/time/time.ts'
import { asIds, type AccountId, type IdCursor, type StatusId } from '#lib/id.ts'

/** Rows read at a time: so much is in memory, however long the list is. */
const batch = 500
/** Drafts are longer. */
const draftBatch = 20

/** What the account wrote and boosted, oldest first. Boosts of what it may not see any more are left out. */
export async function* readOutbox(reader: Reader, accountId: AccountId): AsyncGenerator<NoteFacts> {
  const ids = pages(
    reader,
    (after) => sql<{ cursor: IdCursor }>`
      select s.id as cursor from statuses s
      where s.account_id = ${accountId} and s.deleted_at is null and s.id > ${after}::bigint
        and (s.reblog_of_id is null or exists (
          select 1 from statuses o where o.id = s.reblog_of_id and ${visibleTo(accountId, 'o')} offset 0))
      order by cursor limit ${batch}`,
  )
  for await (const rows of ids) {
    const page = rows.map((row) => row.cursor)
    yield* pick(page, await loadNotes(reader, asIds<StatusId>(page)))
  }
}

/** The addresses of the statuses that the account likes, in the order in which it did. */
export const readLikes = (reader: Reader, accountId: AccountId) => readMarked(reader, accountId, 'favourites')

/** The addresses of the statuses that the account keeps, in the order in which it did. */
export const readBookmarks = (reader: Reader, accountId: AccountId) =>
  readMarked(reader, accountId, 'bookmarks')

async function* readMarked(
  reader: Reader,
  accountId: AccountId,
  table: 'favourites' | 'bookmarks',
): AsyncGenerator<string> {
  const marked = pages(
    reader,
    (after) => sql<{ cursor: IdCursor; id: StatusId; uri: string | null; username: string }>`
      select m.id as cursor, s.id, s.uri, a.username
      from ${sql.table(table)} m join statuses s on s.id = m.status_id join accounts a on a.id = s.account_id
      where m.account_id = ${accountId} and m.id > ${after}::bigint and ${visibleTo(accountId, 's')}
      order by cursor limit ${batch}`,
  )
  for await (const rows of marked) {
    for (const row of rows) yield row.uri ?? statusUri(reader.config, row.username, row.id)
  }
}

/** A draft as an archive has it: its posts are as `DraftPost` has them, in the words of the API. */
export interface ArchivedDraft {
  created_at: string
  updated_at: string
  in_reply_to: string | null
  posts: readonly object[]
}

/** What the account is writing, oldest first. Addresses only of what it may still see. */
export async function* readDrafts(reader: Reader, accountId: AccountId): AsyncGenerator<ArchivedDraft> {
  const drafts = pages(
    reader,
    (after) => sql<DraftRow & { cursor: IdCursor }>`
      select d.id as cursor, d.id, d.account_id, d.version, d.content, d.created_at, d.updated_at from drafts d
      where d.account_id = ${accountId} and d.id > ${after}::bigint order by cursor limit ${draftBatch}`,
  )
  for await (const rows of drafts) {
    const addresses = await loadAddresses(
      reader,
      accountId,
      rows.flatMap((row) => statusesOf(row.content)),
    )
    const media = await loadMedia(
      reader,
      rows.flatMap((row) => mediaOf(row.content)),
    )
    const addressOf = (id: StatusId | undefined) => (id === undefined ? null : (addresses.get(id) ?? null))
    for (const { content, created_at: createdAt, updated_at: updatedAt } of rows) {
      yield {
        created_at: formatTime(createdAt),
        updated_at: formatTime(updatedAt),
        in_reply_to: addressOf(content.inReplyToId),
        posts: content.posts.map((post) => ({
          status: post.text,
          spoiler_text: post.spoilerText,
          visibility: post.visibility,
          sensitive: post.sensitive,
          language: post.language,
          content_type: post.contentType,
          local_only: post.localOnly,
          poll: post.poll && {
            options: post.poll.options,
            expires_in: post.poll.expiresIn,
            multiple: post.poll.multiple,
            hide_totals: post.poll.hideTotals,
          },
          quoted_status: addressOf(post.quotedStatusId),
          quote_approval_policy: post.quotePolicy,
          reply_approval_policy: post.replyPolicy,
          media: pick(post.mediaIds ?? [], media).map((one) => ({
            file: one.original_key,
            description: one.description,
          })),
        })),
      }
    }
  }
}

async function loadAddresses(
  reader: Reader,
  accountId: AccountId,
  ids: readonly StatusId[],
): Promise<Map<StatusId, string>> {
  const { rows } = await sql<{ id: StatusId; uri: string | null; username: string }>`
    select s.id, s.uri, a.username from statuses s join accounts a on a.id = s.account_id
    where s.id = any(${ids}::bigint[]) and ${visibleTo(accountId, 's')}`.execute(reader.db)
  return new Map(rows.map((row) => [row.id, row.uri ?? statusUri(reader.config, row.username, row.id)]))
}

/** The files of what the account wrote or is writing, as they are stored. */
export async function* readMediaKeys(reader: Reader, accountId: AccountId): AsyncGenerator<string> {
  const media = pages(
    reader,
    (after) => sql<{ cursor: IdCursor; original_key: string }>`
      select m.id as cursor, m.original_key
      from media_attachments m left join statuses s on s.id = m.status_id
      where m.account_id = ${accountId} and m.id > ${after}::bigint and m.original_key is not null
        and (m.draft_id is not null or s.deleted_at is null and m.id = any(s.media_ids))
      order by cursor limit ${batch}`,
  )
  for await (const rows of media) for (const row of rows) yield row.original_key
}

/** `select` reads the rows after a cursor. */
async function* pages<Row extends { cursor: IdCursor }>(
  reader: Reader,
  select: (after: IdCursor) => RawBuilder<Row>,
): AsyncGenerator<Row[]> {
  for (let after = '0'; ;) {
    const { rows } = await select(after).execute(reader.db)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.cursor
  }
}
