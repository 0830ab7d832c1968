// What kept somebody's own post from going by itself may be gone with one of these.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { reexamineStatuses } from '#domain/maintenance/retention/delete-own.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import type { StatusId } from '#lib/id.ts'

const name = 'reexamine-status'

const reexamineStatus = createBatchLoader<Ctx, StatusId, void>({
  max: 50,
  run: (ctx, ids) => reexamineStatuses(ctx, ids),
})

export const reexamine = {
  name,
  run: (
    ctx: Ctx,
    { statusId }: EventOf<'favourite.deleted' | 'bookmark.deleted' | 'status.unpinned' | 'status.updated'>,
  ) => reexamineStatus(ctx, statusId),
} as const

/** The end of a boost. */
export const reexamineBoosted = {
  name,
  async run(ctx: Ctx, { reblogOfId }: EventOf<'status.deleted'>) {
    if (reblogOfId !== null) await reexamineStatus(ctx, reblogOfId)
  },
} as const

/** What somebody brought along is older than what was looked at. */
export const reexaminePast = {
  name,
  async run(ctx: Ctx, { statusId, past }: EventOf<'status.created'>) {
    if (past) await reexamineStatus(ctx, statusId)
  },
} as const
