import { verifyLinks } from '#domain/identity/accounts/profile/verify-links.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'

/** Notes which of the pages that a profile links to link back. */
export const verifyProfileLinks = {
  name: 'verify-profile-links',
  background: true,
  run: (ctx: Ctx, event: EventOf<'account.updated' | 'link-check.requested'>) =>
    verifyLinks(ctx, event.accountId),
}
