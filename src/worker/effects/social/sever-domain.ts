import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { severDomain } from '#domain/social/relationships/domain-blocks.ts'
import { unmergeDomain } from '#domain/reading/timelines/merge-home.ts'

/** Ends what follows are left between an account and a domain that it hides, and takes the domain out of its feed. */
export const severBlockedDomain = {
  name: 'sever-domain',
  async run(ctx: Ctx, event: EventOf<'domain-block.created'>) {
    await severDomain(ctx, event.accountId, event.domain)
    await unmergeDomain(ctx, event.accountId, event.domain)
  },
}
