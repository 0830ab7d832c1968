import { removeFollower } from '#domain/social/relationships/follow.ts'
import { rejectFollowRequest } from '#domain/social/relationships/follow-requests.ts'
import { answerRelay } from '#domain/federation/relays/relays.ts'
import { refuseQuote } from '#domain/content/statuses/quotes/remote-quote.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import { findAnsweredRequest } from '../kit/find-answered-request.ts'
import type { Handler } from '../kit/handler.ts'
import { refuseInteraction } from '../kit/find-rejected.ts'
import type { AccountId } from '#lib/id.ts'

/** Somebody will not, or no longer, be followed, quoted or answered, or a relay does not let this server in. */
export const onReject: Handler = async (ctx, incoming) => {
  const answered = await findAnsweredRequest(ctx, incoming)
  if (answered?.kind === 'follow') await refuseFollower(ctx, incoming.actor.id, answered.followerId)
  else if (answered?.kind === 'relay') await answerRelay(ctx, { ...answered, state: 'rejected' })
  else if (answered?.kind === 'quote') await refuseQuote(ctx, answered.statusId)
  else if (!(await refuseInteraction(ctx, incoming))) return 'ignored'
  return 'done'
}

/** Ends a request as well as a follow. */
export async function refuseFollower(ctx: Ctx, accountId: AccountId, followerId: AccountId): Promise<void> {
  await rejectFollowRequest(ctx, { accountId }, followerId).catch((error: unknown) => {
    // It was accepted before.
    if (!isAppError(error, 'not_found')) throw error
  })
  await removeFollower(ctx, { accountId }, followerId)
}
