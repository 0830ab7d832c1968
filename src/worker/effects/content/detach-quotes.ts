import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { removeQuoteNotifications } from '#domain/reading/notifications/remove.ts'
import { markQuotedDeleted } from '#domain/content/statuses/quotes/detach-quotes.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import type { StatusId } from '#lib/id.ts'

const detach = createBatchLoader<Ctx, StatusId, void>({
  max: 50,
  async run(ctx, ids) {
    await markQuotedDeleted(ctx, ids)
    await removeQuoteNotifications(ctx, { quotedStatusIds: ids })
  },
})

/** Has quotes of a deleted status say so, and takes back what its author was told of them. */
export const detachQuotes = {
  name: 'detach-quotes',
  run: (ctx: Ctx, { statusId }: EventOf<'status.deleted'>) => detach(ctx, statusId),
}
