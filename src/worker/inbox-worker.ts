// Deals with what other servers sent, in the background.
import { releaseIncoming } from '#domain/federation/queue/incoming.ts'
import { incomingChannel } from '#federation/inbox/receive.ts'
import type { Ctx } from '#ports/ctx.ts'
import { createWakeSignal, withTimeout } from '#lib/concurrency/with-timeout.ts'
import { createInboxProcessor } from './inbox-processor.ts'

/** How long an activity may wait when its message was lost, in milliseconds. */
const pollEvery = 1_000
/** How long a stop waits for activities under way, in milliseconds. What is not done then is taken up again later. */
const stopTime = 5_000

export interface Incoming {
  stop(): Promise<void>
}

/** Deals with all that is due now. Returns how much that was. */
export const drainIncoming = (ctx: Ctx): Promise<number> => createInboxProcessor(ctx).run()

/** Deals with what comes in until stopped. `alone`: no other worker uses this database. */
export async function startIncoming(ctx: Ctx, alone: boolean): Promise<Incoming> {
  if (alone) await releaseIncoming(ctx)
  const processor = createInboxProcessor(ctx)
  const wakeSignal = createWakeSignal()
  let stopping = false
  const unsubscribe = ctx.bus.subscribe(incomingChannel, () => {
    processor.stir()
    wakeSignal.wake()
  })
  const done = (async () => {
    while (!stopping) {
      await processor.run().catch((error: Error) => {
        ctx.log.warn({ error: error.message }, 'what came in could not be taken up; trying again')
      })
      if (!stopping) await wakeSignal.sleep(pollEvery)
    }
  })()
  return {
    async stop() {
      stopping = true
      unsubscribe()
      processor.stop()
      wakeSignal.wake()
      await withTimeout(stopTime, done)
    },
  }
}
