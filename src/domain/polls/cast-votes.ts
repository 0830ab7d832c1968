import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { unique } from '#lib/collections.ts'

export interface Ballot {
  pollId: Id
  accountId: Id
  /** Indexes of options. */
  choices: readonly number[]
}

/**
 * Counts the votes of one person, once. The poll's row is locked: of two ballots at once the second finds the first,
 * and an edit that resets the poll comes before or after. Throws `invalid` with Mastodon's words, and `not_found` when
 * the poll has gone meanwhile.
 */
export async function castVotes(tx: Tx, ballot: Ballot): Promise<void> {
  const choices = unique(ballot.choices)
  const { rows } = await sql<LockedPoll>`
    select account_id, cardinality(options) as options, multiple, expires_at from polls
    where id = ${ballot.pollId} for no key update`.execute(tx.db)
  if (!rows[0]) throw notFound()
  // By a statement of its own: one that waited for the lock would still see the votes of before.
  const problem =
    findProblem(rows[0], { ...ballot, choices }, tx.clock.now()) ?? (await findEarlier(tx, ballot))
  if (problem) throw invalid(`Validation failed: ${problem}`)
  await insertVotes(tx, { ...ballot, choices })
  await tx.emit({ type: 'poll.voted', pollId: ballot.pollId, accountId: ballot.accountId })
}

interface LockedPoll {
  account_id: Id
  options: number
  multiple: boolean
  expires_at: Date | null
}

const twice = 'You have already voted on this poll'

function findProblem(poll: LockedPoll, { accountId, choices }: Ballot, now: number): string | null {
  if (poll.expires_at !== null && poll.expires_at.getTime() <= now) return 'The poll has already ended'
  const valid = choices.every((choice) => Number.isInteger(choice) && choice >= 0 && choice < poll.options)
  if (!valid || choices.length === 0) return 'The chosen vote option does not exist'
  if (poll.account_id === accountId) return 'You cannot vote in your own polls'
  return choices.length > 1 && !poll.multiple ? twice : null
}

async function findEarlier(tx: Tx, { pollId, accountId }: Ballot): Promise<string | null> {
  const { rows } = await sql`
    select 1 from poll_votes where poll_id = ${pollId} and account_id = ${accountId} limit 1`.execute(tx.db)
  return rows.length > 0 ? twice : null
}

/** Unknown voters stay unknown. */
async function insertVotes(tx: Tx, { pollId, accountId, choices }: Ballot): Promise<void> {
  await sql`
    with made as (
      insert into poll_votes (poll_id, account_id, choice, created_at)
      select ${pollId}, ${accountId}, unnest(${choices}::smallint[]), ${new Date(tx.clock.now())})
    update polls set votes_count = votes_count + ${choices.length}, voters_count = voters_count + 1,
      tallies = array(
        select tally + (place - 1 = any(${choices}::smallint[]))::int
        from unnest(tallies) with ordinality t (tally, place) order by place)
    where id = ${pollId}`.execute(tx.db)
}
