import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { notifyOfPollEnd } from '#domain/reading/notifications/notify-of-poll.ts'

/** Notifies author and voters of the end of a poll. */
export const notifyPoll = {
  name: 'notify-poll',
  run: (ctx: Ctx, event: EventOf<'poll.ended'>) => notifyOfPollEnd(ctx, event.pollId),
}
