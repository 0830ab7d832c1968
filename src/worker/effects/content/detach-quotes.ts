import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { removeQuoteNotifications } from '#domain/reading/notifications/remove.ts'
import { markQuotedDeleted } from '#domain/content/statuses/quotes/detach-quotes.ts'

/** Has quotes of a deleted status say so, and takes back what its author was told of them. */
export const detachQuotes = {
  name: 'detach-quotes',
  async run(ctx: Ctx, { statusId }: EventOf<'status.deleted'>) {
    await markQuotedDeleted(ctx, statusId)
    await removeQuoteNotifications(ctx, { quotedStatusId: statusId })
  },
}
