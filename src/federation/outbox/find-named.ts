import type { Ctx } from '#ports/ctx.ts'
import { loadNamedStatuses, type NamedStatus } from '#domain/federation/queue/federated-facts.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import type { StatusId } from '#lib/id.ts'

/** A status as it is named to other servers. What is done to many at the same time asks for them together. */
export const findNamed = createBatchLoader<Ctx, StatusId, NamedStatus | null>({
  max: 50,
  async run(ctx, ids) {
    const statuses = await loadNamedStatuses(ctx, [...new Set(ids)])
    return ids.map((id) => statuses.get(id) ?? null)
  },
})
