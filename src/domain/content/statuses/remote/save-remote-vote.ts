import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { castVote } from '#domain/content/polls/cast-votes.ts'
import type { Actor } from '#domain/social/relationships/rows.ts'
import { notFound } from '#lib/errors.ts'
import { visibleTo } from '../visibility.ts'
import type { PollId, StatusId } from '#lib/id.ts'

/**
 * Counts the vote of an actor of another server for an option by its text. Idempotent. Each option comes by itself.
 * Throws `not_found` where there is no such option in a poll that the actor may see, and `invalid` as `castVote` does.
 */
export async function saveRemoteVote(
  ctx: Ctx,
  { accountId }: Actor,
  { statusId, option }: { statusId: StatusId; option: string },
): Promise<void> {
  const { rows } = await sql<{ id: PollId; options: string[] }>`
    select p.id, p.options from polls p join statuses s on s.id = p.status_id
    where p.status_id = ${statusId} and s.local and ${visibleTo(accountId, 's')}`.execute(ctx.db)
  const choice = rows[0]?.options.indexOf(option) ?? -1
  const pollId = rows[0]?.id
  if (pollId === undefined || choice < 0) throw notFound()
  await ctx.transaction((tx) => castVote(tx, { pollId, accountId, choice }))
}
