import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { outdateLists, outdateListsWith } from '#domain/reading/timelines/mark-list-feeds-stale.ts'

/** Lists that have somebody whom their owner had asked to follow, and now follows, show them from now on. */
export const outdateListsOfFollower = {
  name: 'outdate-lists-of-follower',
  run: (ctx: Ctx, event: EventOf<'follow.created'>) =>
    outdateListsWith(ctx, event.accountId, event.targetAccountId),
}

/** Any list may hold what a muted account or a hidden domain wrote, boosts of it and posts that name it. */
export const outdateListsOfOwner = {
  name: 'outdate-lists-of-owner',
  run: (ctx: Ctx, event: EventOf<'mute.created' | 'mute.deleted' | 'domain-block.created'>) =>
    outdateLists(ctx, event.accountId),
}

/** A block counts for both. */
export const outdateListsOfBoth = {
  name: 'outdate-lists-of-both',
  async run(ctx: Ctx, event: EventOf<'block.created'>) {
    await outdateLists(ctx, event.accountId)
    await outdateLists(ctx, event.targetAccountId)
  },
}
