// Polls as far as one may see the statuses that ask them.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { castVotes } from '#domain/content/polls/cast-votes.ts'
import { notFound } from '#lib/errors.ts'
import { visibleTo } from '../visibility.ts'
import type { AccountId, PollId } from '#lib/id.ts'

/** Throws `not_found` for polls that do not exist or whose status the viewer cannot see, the same for both. */
export async function assertPollVisible(
  reader: Reader,
  viewerId: AccountId | null,
  pollId: PollId,
): Promise<void> {
  const { rows } = await sql`
    select 1 from polls p join statuses s on s.id = p.status_id
    where p.id = ${pollId} and ${visibleTo(viewerId, 's')}`.execute(reader.db)
  if (rows.length === 0) throw notFound()
}

/** Votes for options by their indexes. Throws `not_found`, and `invalid` as `castVotes` does. */
export async function voteInPoll(
  ctx: Ctx,
  viewer: Viewer,
  pollId: PollId,
  choices: readonly number[],
): Promise<void> {
  await assertPollVisible(ctx, viewer.accountId, pollId)
  await ctx.transaction((tx) => castVotes(tx, { pollId, accountId: viewer.accountId, choices }))
}
