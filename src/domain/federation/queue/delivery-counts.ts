// What came of attempts to deliver, since the start of this process.
import type { Ctx } from '#ports/ctx.ts'

/** `again`: it failed, and is tried later or was tried often enough. `refused`: it will never be taken. */
type DeliveryResult = 'delivered' | 'again' | 'refused'

/** By context, of which each server in a process has its own. */
const counts = new WeakMap<Ctx, Record<DeliveryResult, number>>()

/** How often each came out. */
export const deliveryCounts = (ctx: Ctx): Readonly<Record<DeliveryResult, number>> =>
  counts.get(ctx) ?? { delivered: 0, again: 0, refused: 0 }

export function countDelivery(ctx: Ctx, result: DeliveryResult): void {
  const known = deliveryCounts(ctx)
  counts.set(ctx, { ...known, [result]: known[result] + 1 })
}
