import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { unmergeHome } from '#domain/reading/timelines/merge-home.ts'

/** Takes an account out of a feed whose owner no longer wants to read it, or may not. */
export const unmergeFeed = {
  name: 'unmerge-feed',
  run: (ctx: Ctx, event: EventOf<'follow.deleted' | 'follow.rejected'>) =>
    unmergeHome(ctx, event.accountId, event.targetAccountId, 'unfollow'),
}

export const unmergeMuted = {
  name: 'unmerge-muted',
  run: (ctx: Ctx, event: EventOf<'mute.created'>) =>
    unmergeHome(ctx, event.accountId, event.targetAccountId, 'mute'),
}

/** Both feeds lose what the other wrote. */
export const unmergeBlocked = {
  name: 'unmerge-blocked',
  async run(ctx: Ctx, event: EventOf<'block.created'>) {
    await unmergeHome(ctx, event.accountId, event.targetAccountId, 'block')
    await unmergeHome(ctx, event.targetAccountId, event.accountId, 'blocked')
  },
}
