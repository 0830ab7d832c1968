import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { removeFromHomes, removeFromLists } from '#domain/reading/timelines/remove-status.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import type { StatusId } from '#lib/id.ts'

const removeFromFeeds = createBatchLoader<Ctx, StatusId, void>({
  max: 50,
  async run(ctx, ids) {
    await removeFromHomes(ctx, ids)
    await removeFromLists(ctx, ids)
  },
})

/** Takes a deleted status or boost out of all home and list feeds. */
export const removeStatus = {
  name: 'remove-status',
  run: (ctx: Ctx, { statusId }: EventOf<'status.deleted'>) => removeFromFeeds(ctx, statusId),
}
