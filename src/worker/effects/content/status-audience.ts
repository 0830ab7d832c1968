import { loadStatusAudiences, type StatusAudience } from '#domain/content/statuses/status-audience.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import type { StatusId } from '#lib/id.ts'

const load = createBatchLoader<Ctx, StatusId, StatusAudience | null>({
  max: 50,
  async run(ctx, ids) {
    const audiences = await loadStatusAudiences(ctx, ids)
    return ids.map((id) => audiences.get(id) ?? null)
  },
})

/** An effect that is tried again later is given its event anew, and looks anew. */
const known = new WeakMap<object, Promise<StatusAudience | null>>()

/**
 * What may follow from the status of an event, read once for all effects that run one after the other. Null when the
 * status is gone. What becomes of it meanwhile is another event's.
 */
export function audienceOf(ctx: Ctx, event: EventOf<'status.created'>): Promise<StatusAudience | null> {
  const audience = known.get(event) ?? load(ctx, event.statusId)
  known.set(event, audience)
  return audience
}
