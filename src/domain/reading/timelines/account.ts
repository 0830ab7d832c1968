import { sql, type QueryExecutorProvider } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { keepStatement } from '#db/keep-statement.ts'
import { inPage, orderAndLimit, pageArguments, pageFrom } from '#db/paging.ts'
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
  { accountId, options }: { accountId: AccountId; options: AccountStatusesOptions },
  page: PageRequest,
): Promise<Row[]> {
  const asked = [
    options.onlyMedia ? 'only media' : null,
    options.excludeReplies ? 'no replies' : null,
    options.excludeReblogs ? 'no boosts' : null,
    options.tagged ? normaliseHashtag(options.tagged) : null,
  ] as const
  const { rows } = await askWritten(reader.db, viewerId, accountId, ...asked, ...pageArguments(page))
  return rows.map(({ id }) => ({ id, cursor: id }))
}

/** Words that only say that something is asked for. */
type Flag = string | null

type WrittenArguments = [
  viewerId: AccountId | null,
  accountId: AccountId,
  onlyMedia: Flag,
  excludeReplies: Flag,
  excludeReblogs: Flag,
  tagged: string | null,
  ...cut: ReturnType<typeof pageArguments>,
]

const askWritten = keepStatement(
  (
    db: QueryExecutorProvider,
    ...[viewerId, accountId, onlyMedia, excludeReplies, excludeReblogs, tagged, ...cut]: WrittenArguments
  ) => {
    const page = pageFrom(...cut)
    const conditions = [
      ...(onlyMedia === null ? [] : [sql`s.media_ids <> '{}'`]),
      ...(excludeReplies === null ? [] : [sql`(not s.reply or s.in_reply_to_account_id = s.account_id)`]),
      ...(excludeReblogs === null ? [] : [sql`s.reblog_of_id is null`]),
      ...(tagged === null
        ? []
        : [
            sql`exists (select 1 from status_tags st join tags t on t.id = st.tag_id
      where st.status_id = s.id and t.name = ${tagged})`,
          ]),
      visibleWithOriginal(viewerId, 's', accountId),
      inPage('s.id', page),
    ]
    return sql<{ id: StatusId }>`
    select s.id from statuses s
    where s.account_id = ${accountId} and s.deleted_at is null and ${sql.join(conditions, sql` and `)}
    ${orderAndLimit('s.id', page)}`.execute(db)
  },
)

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
