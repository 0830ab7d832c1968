import { sql, type QueryExecutorProvider } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { keepStatement } from '#db/keep-statement.ts'
import { unique } from '#lib/collections.ts'
import { authorsOf, type StatusLine } from './load-lines.ts'
import type { AccountId, ConversationId, StatusId } from '#lib/id.ts'

/** What the viewer did to some statuses, and what decides whether they may see them. */
export interface OwnMarks {
  favourited: ReadonlySet<StatusId>
  reblogged: ReadonlySet<StatusId>
  bookmarked: ReadonlySet<StatusId>
  pinned: ReadonlySet<StatusId>
  muted: ReadonlySet<ConversationId>
  blockedBy: ReadonlySet<AccountId>
  /** Of those whose statuses are not for everybody. */
  following: ReadonlySet<AccountId>
  /** Of statuses that are not for everybody. */
  mentionedBy: ReadonlySet<StatusId>
}

const none: ReadonlySet<never> = new Set<never>()
/** Nobody's. */
export const noMarks: OwnMarks = {
  favourited: none,
  reblogged: none,
  bookmarked: none,
  pinned: none,
  muted: none,
  blockedBy: none,
  following: none,
  mentionedBy: none,
}

/** What people favourite, boost and bookmark. */
export const originalOf = (line: StatusLine): StatusId => line.reblog_of_id ?? line.id

/** By one query, however many statuses. */
export async function loadOwnMarks(
  { db }: Reader,
  viewerId: AccountId,
  lines: ReadonlyMap<StatusId, StatusLine>,
): Promise<OwnMarks> {
  const all = [...lines.values()]
  const idsOf = (some: readonly StatusLine[]) => some.map((line) => line.id)
  const closed = all.filter(({ visibility }) => visibility !== 'public' && visibility !== 'unlisted')
  const { rows } = await askOwn(
    db,
    viewerId,
    unique(all.map(originalOf)),
    idsOf(all.filter((line) => line.account_id === viewerId)),
    unique(all.flatMap((line) => line.conversation_id ?? [])),
    authorsOf(all),
    idsOf(closed),
    authorsOf(closed),
  )
  const [found] = rows
  if (!found) return noMarks
  return {
    favourited: new Set(found.favourited),
    reblogged: new Set(found.reblogged),
    bookmarked: new Set(found.bookmarked),
    pinned: new Set(found.pinned),
    muted: new Set(found.muted),
    blockedBy: new Set(found.blocked_by),
    following: new Set(found.following),
    mentionedBy: new Set(found.mentioned_by),
  }
}

interface OwnRow {
  favourited: StatusId[]
  reblogged: StatusId[]
  bookmarked: StatusId[]
  pinned: StatusId[]
  muted: ConversationId[]
  blocked_by: AccountId[]
  following: AccountId[]
  mentioned_by: StatusId[]
}

type OwnArguments = [
  viewerId: AccountId,
  ids: readonly StatusId[],
  mine: readonly StatusId[],
  conversations: readonly ConversationId[],
  authors: readonly AccountId[],
  closed: readonly StatusId[],
  closedAuthors: readonly AccountId[],
]

/** One walk through an index each, however much they have favourited in their life. */
const askOwn = keepStatement(
  (
    db: QueryExecutorProvider,
    ...[viewerId, ids, mine, conversations, authors, closed, closedAuthors]: OwnArguments
  ) =>
    sql<OwnRow>`
    select
      array(select status_id from favourites where account_id = ${viewerId} and status_id = any(${ids}::bigint[])) as favourited,
      array(select reblog_of_id from statuses
        where reblog_of_id = any(${ids}::bigint[]) and account_id = ${viewerId} and deleted_at is null) as reblogged,
      array(select status_id from bookmarks where account_id = ${viewerId} and status_id = any(${ids}::bigint[])) as bookmarked,
      array(select status_id from status_pins where status_id = any(${mine}::bigint[])) as pinned,
      array(select conversation_id from conversation_mutes
        where account_id = ${viewerId} and conversation_id = any(${conversations}::bigint[])) as muted,
      array(select account_id from blocks
        where target_account_id = ${viewerId} and account_id = any(${authors}::bigint[])) as blocked_by,
      array(select target_account_id from follows
        where account_id = ${viewerId} and target_account_id = any(${closedAuthors}::bigint[])) as following,
      array(select status_id from mentions where account_id = ${viewerId} and status_id = any(${closed}::bigint[])) as mentioned_by`.execute(
      db,
    ),
)
