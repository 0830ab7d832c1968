import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { indexStatuses, markOpen } from '#domain/reading/search/index-statuses.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import type { StatusId } from '#lib/id.ts'

/** Makes a status findable as it now is, or not at all when it is gone. */
export const indexStatus = {
  name: 'index-status',
  async run(
    ctx: Ctx,
    event: EventOf<
      'status.created' | 'status.updated' | 'status.deleted' | 'quote.accepted' | 'quote.revoked'
    >,
  ) {
    // Boosts are found by what they boost.
    if (event.type !== 'status.created' || event.reblogOfId === undefined) await index(ctx, event.statusId)
  },
}

const index = createBatchLoader<Ctx, StatusId, void>({
  max: 50,
  run: (ctx, ids) => indexStatuses(ctx, [...new Set(ids)]),
})

/** Opens the public statuses of an account to everybody's search, or closes them, as its owner now wants it. */
export const openToSearch = {
  name: 'open-to-search',
  run: async (ctx: Ctx, event: EventOf<'account.updated'>) => void (await markOpen(ctx, event.accountId)),
}
