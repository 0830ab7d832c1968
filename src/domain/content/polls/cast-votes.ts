import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import { invalid, notFound, type BaseCode } from '#lib/errors.ts'
import { unique } from '#lib/collections.ts'
import type { AccountId, PollId } from '#lib/id.ts'

export interface Ballot {
  pollId: PollId
  accountId: AccountId
  /** Indexes of options. */
  choices: readonly number[]
}

/**
 * Counts the votes of one person, who may add to what they chose before where several options can be chosen. The poll's
 * row is locked: of two ballots at once the second finds the first, and an edit that resets the poll comes before or
 * after. Throws `invalid` with Mastodon's words, also when one of the choices was made before, and `not_found` when the
 * poll has gone meanwhile.
 */
export async function castVotes(tx: Tx, given: Ballot): Promise<void> {
  const ballot = { ...given, choices: unique(given.choices) }
  const poll = await lockPoll(tx, ballot.pollId)
  // By a statement of its own: one that waited for the lock would still see the votes of before.
  await count(tx, poll, ballot, await listEarlier(tx, ballot))
}

/** As `castVotes` for one vote from another server. Idempotent. */
export async function castVote(
  tx: Tx,
  { choice, ...voter }: Omit<Ballot, 'choices'> & { choice: number },
): Promise<void> {
  const ballot = { ...voter, choices: [choice] }
  const poll = await lockPoll(tx, ballot.pollId)
  const earlier = await listEarlier(tx, ballot)
  if (!earlier.includes(choice)) await count(tx, poll, ballot, earlier)
}

async function count(tx: Tx, poll: LockedPoll, ballot: Ballot, earlier: readonly number[]): Promise<void> {
  const isRepeated = poll.multiple
    ? ballot.choices.some((choice) => earlier.includes(choice))
    : earlier.length > 0
  const problem = findProblem(poll, ballot, tx.clock.now()) ?? (isRepeated ? twice : null)
  if (problem) throw invalid('base', problem)
  await insertVotes(tx, ballot, { first: earlier.length === 0 })
  await tx.emit({ type: 'poll.voted', ...ballot })
}

async function lockPoll(tx: Tx, pollId: PollId): Promise<LockedPoll> {
  const { rows } = await sql<LockedPoll>`
    select account_id, cardinality(options) as options, multiple, expires_at from polls
    where id = ${pollId} for no key update`.execute(tx.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

interface LockedPoll {
  account_id: AccountId
  options: number
  multiple: boolean
  expires_at: Date | null
}

const twice = 'voted_already'

function findProblem(poll: LockedPoll, { accountId, choices }: Ballot, now: number): BaseCode | null {
  if (poll.expires_at !== null && poll.expires_at.getTime() <= now) return 'poll_over'
  const valid = choices.every((choice) => Number.isInteger(choice) && choice >= 0 && choice < poll.options)
  if (!valid || choices.length === 0) return 'no_such_choice'
  if (poll.account_id === accountId) return 'own_poll'
  return choices.length > 1 && !poll.multiple ? twice : null
}

/** What somebody chose before. */
async function listEarlier(tx: Tx, { pollId, accountId }: Ballot): Promise<number[]> {
  const { rows } = await sql<{ choice: number }>`
    select choice from poll_votes where poll_id = ${pollId} and account_id = ${accountId}`.execute(tx.db)
  return rows.map((row) => row.choice)
}

/** Unknown voters stay unknown. */
async function insertVotes(
  tx: Tx,
  { pollId, accountId, choices }: Ballot,
  { first }: { first: boolean },
): Promise<void> {
  await sql`
    with made as (
      insert into poll_votes (poll_id, account_id, choice, created_at)
      select ${pollId}, ${accountId}, unnest(${choices}::smallint[]), ${new Date(tx.clock.now())})
    update polls set votes_count = votes_count + ${choices.length}, voters_count = voters_count + ${first ? 1 : 0},
      tallies = array(
        select tally + (place - 1 = any(${choices}::smallint[]))::int
        from unnest(tallies) with ordinality t (tally, place) order by place)
    where id = ${pollId}`.execute(tx.db)
}
