import { sql, type QueryExecutorProvider } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { keepStatement } from '#db/keep-statement.ts'
import type { AccountLine } from '#domain/identity/accounts/load.ts'
import { avoidedAmong } from '#domain/social/relationships/rules.ts'
import { unique } from '#lib/collections.ts'
import { covers, findDeeds, type DeedLists, type Deeds } from './deeds/kept-deeds.ts'
import { authorsOf, type StatusLine } from './load-lines.ts'
import type { AccountId, ConversationId, StatusId } from '#lib/id.ts'

/**
 * What the viewer did to some statuses, and what decides whether they may see them. The sets may have others than were
 * asked for.
 */
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

type MarksReader = Reader & Pick<Ctx, 'caches'>

interface Asked {
  lines: ReadonlyMap<StatusId, StatusLine>
  authors: ReadonlyMap<AccountId, AccountLine>
  /** The viewer is to be asked whom of the authors they want to meet. */
  meets: boolean
  /** The viewer looks at a page of these: they are no part of what is counted as one already, nor sent unasked. */
  isLook: boolean
}

/** By one query, however many statuses; by none where what the viewer did lately is kept and says it all. */
export async function loadOwnMarks(
  reader: MarksReader,
  viewerId: AccountId,
  asked: Asked,
): Promise<OwnMarks> {
  const ids = idsOf(viewerId, asked)
  const deeds = await findDeeds(reader, viewerId, asked.isLook)
  return (deeds && marksBy(deeds, ids, asked)) ?? askMarks(reader, viewerId, ids, asked)
}

/** Null: they do not say it all. */
function marksBy(deeds: Deeds, ids: AskedIds, { meets }: Asked): OwnMarks | null {
  const { favourited, reblogged, bookmarked, pinned, muted, blockedBy, following, mentionedBy } = deeds
  const isKnown =
    !(meets && deeds.avoidsAnybody) &&
    [favourited, reblogged, bookmarked].every((list) => covers(list, ids.originals)) &&
    covers(pinned, ids.mine) &&
    covers(muted, ids.conversations) &&
    covers(blockedBy, ids.authors) &&
    covers(following, ids.followable) &&
    covers(mentionedBy, ids.closed)
  if (!isKnown) return null
  return {
    favourited: favourited.ids,
    reblogged: reblogged.ids,
    bookmarked: bookmarked.ids,
    pinned: pinned.ids,
    muted: muted.ids,
    blockedBy: blockedBy.ids,
    following: following.ids,
    mentionedBy: mentionedBy.ids,
    avoided: none,
  }
}

interface AskedIds {
  originals: readonly StatusId[]
  mine: readonly StatusId[]
  conversations: readonly ConversationId[]
  authors: readonly AccountId[]
  closed: readonly StatusId[]
  /** Whose statuses are for their followers. */
  followable: readonly AccountId[]
}

const isClosed = ({ visibility }: StatusLine) => visibility !== 'public' && visibility !== 'unlisted'

function idsOf(viewerId: AccountId, { lines, authors }: Asked): AskedIds {
  const all = [...lines.values()]
  const closed = all.filter((line) => isClosed(line) && line.account_id !== viewerId)
  const limited = all.filter((line) => authors.get(line.account_id)?.silenced)
  return {
    originals: unique(all.map(originalOf)),
    mine: all.filter((line) => line.account_id === viewerId).map((line) => line.id),
    conversations: unique(all.flatMap((line) => line.conversation_id ?? [])),
    authors: authorsOf(all),
    closed: closed.map((line) => line.id),
    followable: authorsOf([...closed, ...limited]),
  }
}

async function askMarks(
  { db, clock }: Reader,
  viewerId: AccountId,
  ids: AskedIds,
  { meets }: Asked,
): Promise<OwnMarks> {
  const { originals, mine, conversations, authors, closed, followable } = ids
  const now = meets ? new Date(clock.now()) : null
  const { rows } = await askOwn(
    db,
    viewerId,
    originals,
    mine,
    conversations,
    authors,
    closed,
    followable,
    now,
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

type OwnRow = DeedLists & { avoided: AccountId[] }

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
