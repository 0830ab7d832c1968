import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { invalidateMentionsOf } from '#domain/content/statuses/invalidate-render-cache.ts'

/** Has posts that name an account say what it is called, and where its page is, now. */
export const renameMentioned = {
  name: 'rename-mentioned',
  slow: true,
  run: (ctx: Ctx, { accountId }: EventOf<'account.renamed'>) => invalidateMentionsOf(ctx, accountId),
}
