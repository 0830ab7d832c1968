import { sql, type Selectable } from 'kysely'
import type { PollsTable } from '#db/schema/polls.ts'
import type { Reader } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import type { AccountId, PollId } from '#lib/id.ts'

/** What of a poll stays as long as the version of its status. */
export interface PollRow extends Pick<
  Selectable<PollsTable>,
  'id' | 'status_id' | 'options' | 'multiple' | 'hide_totals' | 'expires_at'
> {
  /** Whose emoji the options mean. */
  author_domain: string | null
}

export async function loadPolls(reader: Reader, ids: readonly PollId[]): Promise<Map<PollId, PollRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<PollRow>`
    select p.id, p.status_id, p.options, p.multiple, p.hide_totals, p.expires_at, a.domain as author_domain
    from polls p join accounts a on a.id = p.account_id where p.id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}

/** What of a poll changes with every vote, and what the viewer did. */
export interface PollLine extends Pick<
  Selectable<PollsTable>,
  'id' | 'account_id' | 'votes_count' | 'voters_count'
> {
  tallies: number[]
  /** Indexes of the options the viewer voted for, rising. */
  own_votes: number[]
}

export async function loadPollLines(
  reader: Reader,
  viewerId: AccountId | null,
  ids: readonly PollId[],
): Promise<Map<PollId, PollLine>> {
  if (ids.length === 0) return new Map()
  const own =
    viewerId === null
      ? sql`'{}'::int[]`
      : sql`array(select v.choice::int from poll_votes v
          where v.poll_id = p.id and v.account_id = ${viewerId} order by v.choice)`
  const { rows } = await sql<PollLine>`
    select p.id, p.account_id, p.tallies, p.votes_count, p.voters_count, ${own} as own_votes
    from polls p where p.id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}
