import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { authorizeWaiting } from '#domain/social/relationships/follow-requests.ts'

/** Whoever unlocks their account lets in those who wait. */
export const acceptWaiting = {
  name: 'accept-waiting',
  run: (ctx: Ctx, event: EventOf<'account.updated'>) => authorizeWaiting(ctx, event.accountId),
}
