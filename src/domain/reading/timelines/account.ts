import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { keepStatement, type Flag } from '#db/keep-statement.ts'
import { inPage, orderAndLimit, pageArguments, pageFrom } from '#db/paging.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { normaliseHashtag } from '#lib/text/hashtag.ts'
import { loadStatusStates } from '#domain/content/statuses/load-viewer-state.ts'
import { visibleWithOriginal } from '#domain/content/statuses/visibility.ts'
import { notFilteredFor } from '#domain/social/relationships/rules.ts'
import { readSeenPage, type SeenPage } from './seen-page.ts'
import { countOf, maxCounted } from './tag-rules.ts'
import type { AccountId, IdCursor, StatusId, TagId } from '#lib/id.ts'

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

export interface AccountQuery {
  accountId: AccountId
  options: AccountStatusesOptions
}

/** Ids of what an account wrote, as the viewer may see it. Pinned ones come newest pin first, with pins as cursors. */
export async function listAccountStatuses(
  reader: Reader,
  viewerId: AccountId | null,
  query: AccountQuery,
  page: PageRequest,
): Promise<Page<StatusId>> {
  if (query.options.pinned) {
    const found = toPage(await readPinned(reader, viewerId, query.accountId, page), page, (row) => row.cursor)
    return { ...found, items: found.items.map((row) => row.id) }
  }
  const written = await findWritten(reader, query)
  return toPage(written ? await readWritten(reader, viewerId, written, page) : [], page, (id) => id)
}

/** The same for people of this server and strangers, with what they see of each. */
export async function readAccountStatuses(
  ctx: Ctx,
  viewerId: AccountId | null,
  query: AccountQuery,
  page: PageRequest,
): Promise<SeenPage> {
  if (query.options.pinned) {
    const found = await listAccountStatuses(ctx, viewerId, query, page)
    return { ...found, states: await loadStatusStates(ctx, viewerId, found.items) }
  }
  const written = await findWritten(ctx, query)
  const { accountId, options } = query
  return readSeenPage(ctx, viewerId, page, {
    walk: async (longer) => (written ? readWritten(ctx, 'whoever', written, longer) : []),
    has: ({ line }, { states, meets }) => {
      if (options.excludeReblogs || viewerId === null || accountId === viewerId) return true
      const original = line.reblog_of_id && states.get(line.reblog_of_id)
      return !original || meets(original.author)
    },
    exact: async (asked) => (written ? readWritten(ctx, viewerId, written, asked) : []),
  })
}

/** An author and what of theirs is asked for, as arguments of a kept statement. */
type Written = [
  accountId: AccountId,
  onlyMedia: Flag,
  excludeReplies: Flag,
  excludeReblogs: Flag,
  amongOwn: TagId | null,
  amongTagged: TagId | null,
]

/** Null: nothing of theirs can be what is asked for. */
async function findWritten(reader: Reader, { accountId, options }: AccountQuery): Promise<Written | null> {
  const tag = options.tagged ? await findTag(reader, accountId, normaliseHashtag(options.tagged)) : null
  if (tag === undefined) return null
  return [
    accountId,
    options.onlyMedia ? 'only media' : null,
    options.excludeReplies ? 'no replies' : null,
    options.excludeReblogs ? 'no boosts' : null,
    tag && !tag.rarer ? tag.id : null,
    tag?.rarer ? tag.id : null,
  ]
}

/** `whoever`: whatever their visibility. */
async function readWritten(
  reader: Reader,
  viewerId: AccountId | null | 'whoever',
  written: Written,
  page: PageRequest,
): Promise<StatusId[]> {
  const now = new Date(reader.clock.now())
  const [onlooker, decided] =
    viewerId === 'whoever' ? ([null, null] as const) : ([viewerId, 'decided'] as const)
  const { rows } = await askWritten(reader.db, decided, onlooker, now, ...written, ...pageArguments(page))
  return rows.map(({ id }) => id)
}

/** Posts above which an author writes much. */
const muchWritten = 1_000

interface AskedTag {
  id: TagId
  /** An author of much has more posts than there are with the tag: it is these that are looked through. */
  rarer: boolean
}

async function findTag(reader: Reader, accountId: AccountId, name: string): Promise<AskedTag | undefined> {
  const most = sql`least(a.statuses_count, ${sql.lit(maxCounted)})`
  const { rows } = await sql<AskedTag>`
    select t.id, coalesce(a.statuses_count > ${muchWritten}, false) and ${countOf(sql`t.id`, most)} < ${most} as rarer
    from tags t left join account_stats a on a.account_id = ${accountId} where t.name = ${name}`.execute(
    reader.db,
  )
  return rows[0]
}

type WrittenArguments = [
  /** Whether the database decides what the viewer sees. */
  decided: Flag,
  viewerId: AccountId | null,
  now: Date,
  ...written: Written,
  ...cut: ReturnType<typeof pageArguments>,
]

const askWritten = keepStatement(
  (
    db: QueryExecutorProvider,
    ...[
      decided,
      viewerId,
      now,
      accountId,
      onlyMedia,
      excludeReplies,
      excludeReblogs,
      amongOwn,
      amongTagged,
      ...cut
    ]: WrittenArguments
  ) => {
    const page = pageFrom(...cut)
    const conditions = [
      ...(onlyMedia === null ? [] : [sql`s.media_ids <> '{}'`]),
      ...(excludeReplies === null ? [] : [sql`(not s.reply or s.in_reply_to_account_id = s.account_id)`]),
      ...(excludeReblogs === null ? [] : [sql`s.reblog_of_id is null`]),
      ...(amongOwn === null
        ? []
        : [sql`exists (select 1 from status_tags st where st.tag_id = ${amongOwn} and st.status_id = s.id)`]),
      ...(decided === null ? [] : [visibleWithOriginal(viewerId, 's', accountId)]),
      ...(viewerId === null || excludeReblogs !== null ? [] : [isBoostShown(viewerId, now)]),
    ]
    const [id, source] =
      amongTagged === null
        ? (['s.id', sql`statuses s where s.account_id = ${accountId} and s.deleted_at is null`] as const)
        : (['st.status_id', taggedOf(accountId, amongTagged)] as const)
    return sql<{ id: StatusId }>`
    select s.id from ${source} and ${sql.join([...conditions, inPage(id, page)], sql` and `)}
    ${orderAndLimit(id, page)}`.execute(db)
  },
)

/** Nobody meets in boosts of others whom they do not want to meet. */
const isBoostShown = (viewerId: AccountId, now: Date): RawBuilder<boolean> => sql`(
  s.reblog_of_id is null or s.account_id = ${viewerId} or exists (
    select 1 from statuses bo join accounts ba on ba.id = bo.account_id
    where bo.id = s.reblog_of_id and ${notFilteredFor(viewerId, 'ba', now)} offset 0))`

/** `offset 0`: posts with the tag are looked through in their order, whatever is thought of how many there are. */
const taggedOf = (accountId: AccountId, tagId: TagId): RawBuilder<unknown> => sql`status_tags st
    cross join lateral (
      select id from statuses where id = st.status_id and account_id = ${accountId} and deleted_at is null offset 0) own
    join statuses s on s.id = own.id
    where st.tag_id = ${tagId}`

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
