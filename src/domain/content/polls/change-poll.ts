// What the edit of a status does to its poll.
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { PollsTable } from '#db/schema/polls.ts'
import type { Reader, Tx } from '#ports/ctx.ts'
import { insertPoll, type NewPoll } from './new-poll.ts'
import type { AccountId, PollId, StatusId } from '#lib/id.ts'

/** A poll as an edit finds it. */
export interface AskedPoll extends Pick<
  Selectable<PollsTable>,
  'id' | 'options' | 'multiple' | 'hide_totals' | 'expires_at'
> {
  /** When its time began to run. */
  created_at: Date
}

/** The poll of a status. */
export async function findPoll(reader: Reader, statusId: StatusId): Promise<AskedPoll | null> {
  const { rows } = await selectPoll(statusId, sql``).execute(reader.db)
  return rows[0] ?? null
}

/** The poll of a status, locked until the transaction ends: nobody votes meanwhile. */
export async function lockPoll(tx: Tx, statusId: StatusId): Promise<AskedPoll | null> {
  const { rows } = await selectPoll(statusId, sql`for no key update`).execute(tx.db)
  return rows[0] ?? null
}

const selectPoll = (statusId: StatusId, lock: RawBuilder<unknown>) => sql<AskedPoll>`
  select id, options, multiple, hide_totals, expires_at, created_at from polls where status_id = ${statusId} ${lock}`

/** Whether the question itself is another one: what was answered to the old one then counts no more. */
function isOtherQuestion(asked: AskedPoll, next: NewPoll): boolean {
  return asked.multiple !== next.multiple || JSON.stringify(asked.options) !== JSON.stringify(next.options)
}

/** Whether anything about the poll changes. The same duration as before leaves its end where it is. */
export function isPollChanged(asked: AskedPoll | null, next: NewPoll | null): boolean {
  if (asked === null || next === null) return asked !== next
  return isOtherQuestion(asked, next) || asked.hide_totals !== next.hideTotals || !lastsAsLong(asked, next)
}

function lastsAsLong(asked: AskedPoll, next: NewPoll): boolean {
  return asked.expires_at?.getTime() === asked.created_at.getTime() + next.expiresIn * 1000
}

/**
 * Makes, changes or deletes the poll of a status. Returns the id of the one it then has. Another question starts
 * without votes; another duration, and that of another question, counts from now, and opens a closed poll again.
 */
export async function changePoll(
  tx: Tx,
  status: { id: StatusId; accountId: AccountId },
  asked: AskedPoll | null,
  next: NewPoll | null,
): Promise<PollId | null> {
  if (asked === null) return next === null ? null : insertPoll(tx, status, next)
  if (next === null) {
    await sql`delete from polls where id = ${asked.id}`.execute(tx.db)
    return null
  }
  const other = isOtherQuestion(asked, next)
  if (other) await resetVotes(tx, asked.id, next)
  if (other || !lastsAsLong(asked, next)) await restart(tx, asked.id, next)
  await sql`update polls set hide_totals = ${next.hideTotals} where id = ${asked.id}`.execute(tx.db)
  return asked.id
}

async function resetVotes(tx: Tx, id: PollId, next: NewPoll): Promise<void> {
  await sql`
    with gone as (delete from poll_votes where poll_id = ${id})
    update polls set options = ${next.options}::text[], tallies = ${next.options.map(() => 0)}::int[],
      multiple = ${next.multiple}, votes_count = 0, voters_count = 0
    where id = ${id}`.execute(tx.db)
}

async function restart(tx: Tx, id: PollId, next: NewPoll): Promise<void> {
  const now = tx.clock.now()
  await sql`
    update polls set created_at = ${new Date(now)}, expires_at = ${new Date(now + next.expiresIn * 1000)},
      closed_at = null
    where id = ${id}`.execute(tx.db)
}
