// A backup catches a server in the middle of its work. What the old server had begun then, it has most likely done
// since: here it happens once more for those who are served here, and nobody elsewhere hears of it a second time.
import type pg from 'pg'
import { forgetOutgoing, type SetAside } from '#db/dump/settle.ts'
import { releaseIncoming } from '#domain/federation/queue/incoming.ts'
import { closePolls } from '#domain/content/polls/close-polls.ts'
import { publishDue } from '#domain/content/statuses/publish/publish-scheduled.ts'
import type { Ctx } from '#ports/ctx.ts'
import { externalEffects, externalJobs } from '#worker/external-effects.ts'
import { drainIncoming } from '#worker/inbox-worker.ts'
import { drainOutbox, releaseClaims } from '#worker/outbox.ts'

export interface Settled extends SetAside {
  /** Posts that became due after the backup: they are here, and are sent nowhere. */
  published: number
}

/** What is to happen on this server happens; what is to be sent is forgotten. No worker may be at work. */
export async function settleRestored(ctx: Ctx, client: pg.Client): Promise<Settled> {
  await releaseClaims(ctx)
  await releaseIncoming(ctx)
  const published = await publishDue(ctx)
  await closePolls(ctx)
  // What others had sent may be answered, as a request to follow is: the old server has done that too.
  while ((await drainIncoming(ctx)) + (await drainOutbox(ctx)) > 0);
  const aside = await forgetOutgoing(client, { jobs: externalJobs, effects: externalEffects })
  return { ...aside, published }
}
