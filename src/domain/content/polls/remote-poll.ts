// Polls of other servers: they count, and this server counts along until they say the result again.
import { sql, type Selectable } from 'kysely'
import type { PollsTable } from '#db/schema/polls.ts'
import type { Reader, Tx } from '#ports/ctx.ts'
import type { AccountId, PollId, StatusId } from '#lib/id.ts'

export interface RemotePoll {
  options: string[]
  tallies: number[]
  multiple: boolean
  votesCount: number
  /** Null where its server does not tell. */
  votersCount: number | null
  expiresAt: Date | null
}

/** The row of a new status's poll. Returns its id. Of one that is over nobody is told. */
export async function insertRemotePoll(
  tx: Tx,
  status: { id: StatusId; accountId: AccountId },
  poll: RemotePoll,
): Promise<PollId> {
  const now = tx.clock.now()
  const id = tx.newId<PollId>()
  await tx.db
    .insertInto('polls')
    .values({
      id,
      status_id: status.id,
      account_id: status.accountId,
      options: poll.options,
      tallies: poll.tallies,
      multiple: poll.multiple,
      votes_count: poll.votesCount,
      voters_count: poll.votersCount,
      expires_at: poll.expiresAt,
      closed_at: poll.expiresAt !== null && poll.expiresAt.getTime() <= now ? poll.expiresAt : null,
      fetched_at: new Date(now),
      created_at: new Date(now),
    })
    .execute()
  return id
}

export type StoredPoll = Pick<Selectable<PollsTable>, 'id' | 'options' | 'multiple' | 'expires_at'>

/** The poll of a status, locked until the transaction ends: nobody votes meanwhile. */
export async function lockRemotePoll(tx: Tx, statusId: StatusId): Promise<StoredPoll | null> {
  const { rows } = await sql<StoredPoll>`
    select id, options, multiple, expires_at from polls where status_id = ${statusId} for no key update`.execute(
    tx.db,
  )
  return rows[0] ?? null
}

/** Whether another question is asked: what was answered to the old one then counts no more. */
export function isOtherPoll(stored: StoredPoll | null, told: RemotePoll | null): boolean {
  if (stored === null || told === null) return stored !== told
  return stored.multiple !== told.multiple || JSON.stringify(stored.options) !== JSON.stringify(told.options)
}

/** Makes, replaces or deletes the poll of a status. Returns the id of the one it then has. */
export async function replaceRemotePoll(
  tx: Tx,
  status: { id: StatusId; accountId: AccountId },
  told: RemotePoll | null,
): Promise<PollId | null> {
  await sql`delete from polls where status_id = ${status.id}`.execute(tx.db)
  return told === null ? null : insertRemotePoll(tx, status, told)
}

/**
 * What its server says of the votes and the end of a poll. Returns whether the end is another one: that is part of what
 * is kept of a status rendered. A poll that goes on for longer is open again. Votes of this server's people that have
 * not arrived there yet are lost from the count until they have.
 */
export async function updateTallies(tx: Tx, poll: StoredPoll, told: RemotePoll): Promise<boolean> {
  const now = new Date(tx.clock.now())
  const moved = poll.expires_at?.getTime() !== told.expiresAt?.getTime()
  const reopened = moved && (told.expiresAt === null || told.expiresAt > now)
  await sql`
    update polls set tallies = ${told.tallies}::int[], votes_count = ${told.votesCount},
      voters_count = ${told.votersCount}::int, expires_at = ${told.expiresAt}, fetched_at = ${now}
      ${reopened ? sql`, closed_at = null` : sql``}
    where id = ${poll.id}`.execute(tx.db)
  return moved
}

export interface RefreshablePoll {
  statusId: StatusId
  statusUri: string
  accountId: AccountId
  visibility: string
}

/**
 * Takes the task to ask another server for the result of a poll: null when it is this server's, was asked for less than
 * `age` milliseconds ago, or after its end. Of many at once one gets it.
 */
export async function claimRefresh(
  reader: Reader,
  pollId: PollId,
  age: number,
): Promise<RefreshablePoll | null> {
  const now = reader.clock.now()
  const { rows } = await sql<RefreshablePoll>`
    update polls p set fetched_at = ${new Date(now)}
    from statuses s
    where p.id = ${pollId} and s.id = p.status_id and not s.local and s.uri is not null and s.deleted_at is null
      and (p.fetched_at is null or (p.fetched_at <= ${new Date(now - age)}
        and (p.expires_at is null or p.fetched_at < p.expires_at)))
    returning s.id as "statusId", s.uri as "statusUri", s.account_id as "accountId", s.visibility`.execute(
    reader.db,
  )
  return rows[0] ?? null
}
