// Work that has many activities sent goes no faster than they leave.
import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '#ports/ctx.ts'
import { countWaitingWork } from '#domain/server/instance/waiting-work.ts'
import { countWaitingTraffic } from './waiting-traffic.ts'

/** Events and deliveries that may wait before more are made. */
const maxWaiting = { events: 200, deliveries: 50_000 }
/** Between two looks, in milliseconds. */
const lookEvery = 1_000
/** How long nothing may move before it is taken for a server that does not run, in milliseconds. */
const patience = 60_000

/**
 * Waits until few enough events and deliveries wait. False when nothing moves for a minute: nobody is there who sends
 * them.
 */
export async function awaitDeliveries(ctx: Ctx): Promise<boolean> {
  let least = Infinity
  let movedAt = performance.now()
  for (;;) {
    const { eventsWaiting } = await countWaitingWork(ctx)
    const { deliveriesDue } = await countWaitingTraffic(ctx)
    if (eventsWaiting <= maxWaiting.events && deliveriesDue <= maxWaiting.deliveries) return true
    if (eventsWaiting + deliveriesDue < least) {
      least = eventsWaiting + deliveriesDue
      movedAt = performance.now()
    }
    if (performance.now() - movedAt > patience) return false
    await pause(lookEvery)
  }
}
