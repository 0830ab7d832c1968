import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { notifyOfFollow, notifyOfFollowRequest } from '#domain/reading/notifications/notify.ts'

/** Notifies of a new follower, also of one whose request was accepted. */
export const notifyFollow = {
  name: 'notify-follow',
  run: (ctx: Ctx, event: EventOf<'follow.created'>) => notifyOfFollow(ctx, event),
}

/** Notifies of somebody who asks to follow. */
export const notifyFollowRequest = {
  name: 'notify-follow-request',
  run: (ctx: Ctx, event: EventOf<'follow-request.created'>) => notifyOfFollowRequest(ctx, event),
}
