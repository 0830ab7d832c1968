import { refreshList } from '#domain/trust/block-lists/refresh.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'

/** What went wrong is told where staff see the list. */
export const fetchBlockList = {
  name: 'fetch-block-list',
  background: true,
  queue: () => 'block-lists',
  async run(ctx: Ctx, { subscriptionId }: EventOf<'block-list.subscribed'>) {
    await refreshList(ctx, subscriptionId)
  },
} as const
