import { completeActor, fetchEmojiImage } from '#federation/ingest/back-fill/complete-actor.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'

/** Fetches what belongs to an account of another server beside its document. */
export const completeRemoteAccount = {
  name: 'complete-remote-account',
  background: true,
  run: (ctx: Ctx, event: EventOf<'remote-account.saved'>) => completeActor(ctx, event),
}

export const fetchRemoteEmoji = {
  name: 'fetch-remote-emoji',
  background: true,
  run: (ctx: Ctx, event: EventOf<'remote-emoji.saved'>) => fetchEmojiImage(ctx, event.emojiId),
}
