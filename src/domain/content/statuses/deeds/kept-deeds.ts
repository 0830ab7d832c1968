// What somebody did to posts lately, kept in memory while they look at one page after the other.
import { sql, type QueryExecutorProvider } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { RowCache } from '#ports/cache.ts'
import { keepStatement } from '#db/keep-statement.ts'
import { avoidsAnybody } from '#domain/social/relationships/rules.ts'
import { compareIds } from '#lib/ids.ts'
import type { AccountId, AnyId, ConversationId, StatusId } from '#lib/id.ts'

/** So many of each list are kept, the newest. */
const maxKept = 100
const maxFollowed = 300

/** The newest of a list. Of what is below `from` nothing is known; null: these are all. */
export interface Newest<Id extends AnyId> {
  ids: ReadonlySet<Id>
  from: Id | null
}

export interface Deeds {
  favourited: Newest<StatusId>
  /** What they boosted. */
  reblogged: Newest<StatusId>
  bookmarked: Newest<StatusId>
  pinned: Newest<StatusId>
  /** Conversations. */
  muted: Newest<ConversationId>
  /** Who blocks them. */
  blockedBy: Newest<AccountId>
  following: Newest<AccountId>
  /** What names them. */
  mentionedBy: Newest<StatusId>
  /** There is somebody whom they block or mute or who blocks them, or a server that they hide. */
  avoidsAnybody: boolean
}

/** Whether it is known of all of these whether the list has them. */
export const covers = <Id extends AnyId>({ from }: Newest<Id>, ids: readonly Id[]): boolean =>
  from === null || ids.every((id) => compareIds(id, from) >= 0)

/** Whether there may be somebody whom they hide, or who hides from them: false only where it is known that there is nobody. */
export const mayAvoid = (deeds: Deeds | null): boolean => deeds?.avoidsAnybody ?? true

interface Looks {
  /** How often they have looked at a page since they last did anything, in these few seconds. */
  times: number
}

type DeedsReader = Pick<Ctx, 'caches' | 'db'>

/**
 * What somebody did lately, from the second time on that they look at a page within a few seconds; null the first time,
 * when it is cheaper to ask for that page alone. What they do is told, and what others do to them. Not `isLook`: nobody
 * asked for a page; it is what is kept, or null.
 */
export async function findDeeds(
  { caches, db }: DeedsReader,
  accountId: AccountId,
  isLook: boolean,
): Promise<Deeds | null> {
  const kept = caches.deeds as RowCache<AccountId, Deeds>
  const deeds = kept.peek(accountId)
  if (deeds || !isLook) return deeds ?? null
  const looks = await caches.looks.getMany([accountId], () =>
    Promise.resolve(new Map([[accountId, { times: 0 }]])),
  )
  const look = looks.get(accountId) as Looks
  look.times += 1
  if (look.times === 1) return null
  const read = await kept.getMany(
    [accountId],
    async () => new Map([[accountId, await readDeeds(db, accountId)]]),
  )
  return read.get(accountId) ?? null
}

async function readDeeds(db: QueryExecutorProvider, accountId: AccountId): Promise<Deeds> {
  const { rows } = await askDeeds(db, accountId)
  const row = rows[0] as DeedsRow
  return {
    favourited: newestOf(row.favourited),
    reblogged: newestOf(row.reblogged),
    bookmarked: newestOf(row.bookmarked),
    pinned: newestOf(row.pinned),
    muted: newestOf(row.muted),
    blockedBy: newestOf(row.blocked_by),
    following: newestOf(row.following, maxFollowed),
    mentionedBy: newestOf(row.mentioned_by),
    avoidsAnybody: row.avoids_anybody,
  }
}

/** Of ids from the newest on. */
const newestOf = <Id extends AnyId>(ids: readonly Id[], max = maxKept): Newest<Id> => ({
  ids: new Set(ids),
  from: ids.length < max ? null : (ids.at(-1) ?? null),
})

/** Lists of what somebody did, of all or of some posts and people. */
export interface DeedLists {
  favourited: StatusId[]
  reblogged: StatusId[]
  bookmarked: StatusId[]
  pinned: StatusId[]
  muted: ConversationId[]
  blocked_by: AccountId[]
  following: AccountId[]
  mentioned_by: StatusId[]
}

type DeedsRow = DeedLists & { avoids_anybody: boolean }

const askDeeds = keepStatement((db: QueryExecutorProvider, accountId: AccountId) =>
  sql<DeedsRow>`
    select
      array(select status_id from favourites where account_id = ${accountId}
        order by status_id desc limit ${sql.lit(maxKept)}) as favourited,
      array(select reblog_of_id from statuses
        where account_id = ${accountId} and reblog_of_id is not null and deleted_at is null
        order by reblog_of_id desc limit ${sql.lit(maxKept)}) as reblogged,
      array(select status_id from bookmarks where account_id = ${accountId}
        order by status_id desc limit ${sql.lit(maxKept)}) as bookmarked,
      array(select status_id from status_pins where account_id = ${accountId}
        order by status_id desc limit ${sql.lit(maxKept)}) as pinned,
      array(select conversation_id from conversation_mutes where account_id = ${accountId}
        order by conversation_id desc limit ${sql.lit(maxKept)}) as muted,
      array(select account_id from blocks where target_account_id = ${accountId}
        order by account_id desc limit ${sql.lit(maxKept)}) as blocked_by,
      array(select target_account_id from follows where account_id = ${accountId}
        order by target_account_id desc limit ${sql.lit(maxFollowed)}) as following,
      array(select status_id from mentions where account_id = ${accountId}
        order by status_id desc limit ${sql.lit(maxKept)}) as mentioned_by,
      ${avoidsAnybody(accountId)} as avoids_anybody`.execute(db),
)
