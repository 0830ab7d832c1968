import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import {
  markListFeedsStale,
  markListFeedsStaleWith,
} from '#domain/reading/timelines/mark-list-feeds-stale.ts'

/** Lists that have somebody whom their owner had asked to follow, and now follows, show them from now on. */
export const markListFeedsStaleOfFollower = {
  name: 'mark-list-feeds-stale-of-follower',
  run: (ctx: Ctx, event: EventOf<'follow.created'>) =>
    markListFeedsStaleWith(ctx, event.accountId, event.targetAccountId),
}

/** Any list may hold what a muted account or a hidden domain wrote, boosts of it and posts that name it. */
export const markListFeedsStaleOfOwner = {
  name: 'mark-list-feeds-stale-of-owner',
  run: (ctx: Ctx, event: EventOf<'mute.created' | 'mute.deleted' | 'domain-block.created'>) =>
    markListFeedsStale(ctx, event.accountId),
}

/** A block counts for both. */
export const markListFeedsStaleOfBoth = {
  name: 'mark-list-feeds-stale-of-both',
  async run(ctx: Ctx, event: EventOf<'block.created'>) {
    await markListFeedsStale(ctx, event.accountId)
    await markListFeedsStale(ctx, event.targetAccountId)
  },
}
