import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { followSuspension } from '#domain/identity/sign-up-restrictions/canonical-email-blocks.ts'
import { followInviter } from '#domain/social/relationships/follow-inviter.ts'

/** Nobody comes back under the address of a suspended account. */
export const blockAddress = {
  name: 'block-address',
  run: (ctx: Ctx, event: EventOf<'account.suspended' | 'account.unsuspended'>) =>
    followSuspension(ctx, event.accountId),
}

/** Who came by an invite may follow its maker. */
export const followWhoInvited = {
  name: 'follow-inviter',
  run: (ctx: Ctx, event: EventOf<'user.confirmed' | 'user.approved'>) => followInviter(ctx, event.userId),
}
