// What follows from rules against spam, and from what staff decide about it.
import { forgetTombstone } from '#domain/federation/queue/tombstones.ts'
import { actOnSpamHit } from '#domain/trust/moderation/act-on-spam-hit.ts'
import { findHit } from '#domain/content/spam/hits.ts'
import { ingestReleased } from '#federation/ingest/notes/release.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'

export const actOnHit = {
  name: 'act-on-spam-hit',
  run: (ctx: Ctx, { hitId }: EventOf<'spam-rule.hit'>) => actOnSpamHit(ctx, hitId),
} as const

/** What a rule refused may come again. */
export const allowRejected = {
  name: 'allow-rejected',
  async run(ctx: Ctx, { hitId }: EventOf<'spam-hit.undone'>) {
    const hit = await findHit(ctx, hitId)
    if (hit?.uri) await forgetTombstone(ctx, hit.uri)
  },
} as const

export const storeReleased = {
  name: 'store-released',
  run: (ctx: Ctx, { heldPostId }: EventOf<'held-post.released'>) => ingestReleased(ctx, heldPostId),
} as const
