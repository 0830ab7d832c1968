import { sql, type QueryExecutorProvider } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { keepStatement } from '#db/keep-statement.ts'
import type { AccountLine } from '#domain/identity/accounts/load.ts'
import { avoidedAmong } from '#domain/social/relationships/rules.ts'
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
  /** Of those whose statuses are not for everybody, and of limited ones. */
  following: ReadonlySet<AccountId>
  /** Of statuses that are not for everybody. */
  mentionedBy: ReadonlySet<StatusId>
  /** Whom the viewer does not want to meet in lists (`notFilteredFor`), where that was asked. */
  avoided: ReadonlySet<AccountId>
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
  avoided: none,
}

/** What people favourite, boost and bookmark. */
export const originalOf = (line: StatusLine): StatusId => line.reblog_of_id ?? line.id

interface Asked {
  lines: ReadonlyMap<StatusId, StatusLine>
  authors: ReadonlyMap<AccountId, AccountLine>
  /** The viewer is to be asked whom of the authors they want to meet. */
  meets: boolean
}

/** By one query, however many statuses. */
export async function loadOwnMarks(
  { db, clock }: Reader,
  viewerId: AccountId,
  { lines, authors, meets }: Asked,
): Promise<OwnMarks> {
  const all = [...lines.values()]
  const idsOf = (some: readonly StatusLine[]) => some.map((line) => line.id)
  const closed = all.filter(({ visibility }) => visibility !== 'public' && visibility !== 'unlisted')
  const limited = all.filter((line) => authors.get(line.account_id)?.silenced)
  const { rows } = await askOwn(
    db,
    viewerId,
    unique(all.map(originalOf)),
    idsOf(all.filter((line) => line.account_id === viewerId)),
    unique(all.flatMap((line) => line.conversation_id ?? [])),
    authorsOf(all),
    idsOf(closed),
    authorsOf([...closed, ...limited]),
    meets ? new Date(clock.now()) : null,
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
    avoided: new Set(found.avoided),
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
  avoided: AccountId[]
}

type OwnArguments = [
  viewerId: AccountId,
  ids: readonly StatusId[],
  mine: readonly StatusId[],
  conversations: readonly ConversationId[],
  authors: readonly AccountId[],
  closed: readonly StatusId[],
  followable: readonly AccountId[],
  /** When the viewer meets the authors; null: that is not asked. */
  now: Date | null,
]

/** One walk through an index each, however much they have favourited in their life. */
const askOwn = keepStatement(
  (
    db: QueryExecutorProvider,
    ...[viewerId, ids, mine, conversations, authors, closed, followable, now]: OwnArguments
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
        where account_id = ${viewerId} and target_account_id = any(${followable}::bigint[])) as following,
      array(select status_id from mentions where account_id = ${viewerId} and status_id = any(${closed}::bigint[])) as mentioned_by,
      ${now === null ? sql`'{}'::bigint[]` : avoidedAmong(viewerId, authors, now)} as avoided`.execute(db),
)
