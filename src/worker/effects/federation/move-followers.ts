import { moveFollowers, carryProtection } from '#domain/federation/moves/move-followers.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'

/** Local followers follow an account to where it moved. */
export const moveLocalFollowers = {
  name: 'move-followers',
  background: true,
  run: (ctx: Ctx, event: EventOf<'account.moved'>) =>
    moveFollowers(ctx, event.accountId, event.targetAccountId),
} as const

/** Whoever blocked or muted the one who had a handle has the one who has it now out of sight too. */
export const moveBlocks = {
  name: 'move-blocks',
  background: true,
  run: (ctx: Ctx, event: EventOf<'account.handle-passed'>) =>
    carryProtection(ctx, event.accountId, event.targetAccountId),
} as const
