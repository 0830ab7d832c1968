import type { Poll } from '#entities/poll.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { loadPollLines, loadPolls } from '#domain/content/polls/load.ts'
import { assertPollVisible } from '#domain/content/statuses/interactions/polls.ts'
import { notFound } from '#lib/errors.ts'
import { hydrateEmojis } from '../hydrate/emojis.ts'
import { renderPoll } from '../render/poll.ts'
import type { PollId } from '#lib/id.ts'

/** One poll as this viewer sees it. Throws `not_found` when they cannot see its status. */
export async function viewPoll(ctx: Ctx, viewer: Viewer | null, id: PollId): Promise<Poll> {
  const viewerId = viewer?.accountId ?? null
  await assertPollVisible(ctx, viewerId, id)
  const [rows, lines] = await Promise.all([loadPolls(ctx, [id]), loadPollLines(ctx, viewerId, [id])])
  const [row, line] = [rows.get(id), lines.get(id)]
  if (!row || !line) throw notFound()
  const source = { text: row.options.join('\n'), domain: row.author_domain }
  const emojisOf = await hydrateEmojis(ctx, [source])
  return renderPoll({ row, emojis: emojisOf(source) }, line, { viewerId, now: ctx.clock.now() })
}
