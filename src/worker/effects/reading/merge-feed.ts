import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { mergeHome } from '#domain/reading/timelines/merge-home.ts'

/** Brings what an account wrote into the feed of somebody who now follows it, or no longer mutes it. */
export const mergeFeed = {
  name: 'merge-feed',
  run: (ctx: Ctx, event: EventOf<'follow.created' | 'mute.deleted'>) =>
    mergeHome(ctx, event.accountId, event.targetAccountId),
}
