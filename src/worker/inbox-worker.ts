// Deals with what other servers sent, in the background.
import { releaseIncoming } from '#domain/federation/queue/incoming.ts'
import { incomingChannel } from '#federation/inbox/receive.ts'
import type { Ctx } from '#ports/ctx.ts'
import { createAlarm } from '#lib/concurrency/wake-signal.ts'
import { within } from '#lib/concurrency/with-timeout.ts'
import { createIntake } from './inbox-processor.ts'

/** How long an activity may wait when its message was lost, in milliseconds. */
const pollEvery = 1_000
/** How long a stop waits for activities under way, in milliseconds. What is not done then is taken up again later. */
const stopTime = 5_000

export interface Incoming {
  stop(): Promise<void>
}

/** Deals with all that is due now. Answers how much that was. */
export const drainIncoming = (ctx: Ctx): Promise<number> => createIntake(ctx).run()

/** Deals with what comes in until stopped. `alone`: no other worker uses this database. */
export async function startIncoming(ctx: Ctx, alone: boolean): Promise<Incoming> {
  if (alone) await releaseIncoming(ctx)
  const intake = createIntake(ctx)
  const alarm = createAlarm()
  let stopping = false
  const unsubscribe = ctx.bus.subscribe(incomingChannel, () => {
    intake.stir()
    alarm.ring()
  })
  const done = (async () => {
    while (!stopping) {
      await intake.run().catch((error: Error) => {
        ctx.log.warn({ error: error.message }, 'what came in could not be taken up; trying again')
      })
      if (!stopping) await alarm.sleep(pollEvery)
    }
  })()
  return {
    async stop() {
      stopping = true
      unsubscribe()
      intake.stop()
      alarm.ring()
      await within(stopTime, done)
    },
  }
}
