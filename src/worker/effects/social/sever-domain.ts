import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { severDomain } from '#domain/social/relationships/domain-blocks.ts'
import { unmergeDomain } from '#domain/reading/timelines/merge-home.ts'

/** Ends what follows are left between an account and a domain that it hides. */
export const severBlockedDomain = {
  name: 'sever-domain',
  slow: true,
  run: (ctx: Ctx, event: EventOf<'domain-block.created'>) => severDomain(ctx, event.accountId, event.domain),
} as const

/** Takes a domain that an account hides out of its feed. */
export const unmergeBlockedDomain = {
  name: 'unmerge-domain',
  run: (ctx: Ctx, event: EventOf<'domain-block.created'>) =>
    unmergeDomain(ctx, event.accountId, event.domain),
} as const
