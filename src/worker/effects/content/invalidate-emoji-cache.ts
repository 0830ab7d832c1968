import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import {
  forgetRecentWith,
  invalidateRenderCacheWith,
} from '#domain/content/statuses/invalidate-render-cache.ts'

/** Has what shows these emoji rendered anew. But for a picture that was just fetched it looks at every text there is. */
export const invalidateEmojiCache = {
  name: 'invalidate-emoji-cache',
  slow: true,
  async run(ctx: Ctx, { shortcodes, domain, fresh = false }: EventOf<'emojis.changed'>) {
    if (fresh && domain !== null) await forgetRecentWith(ctx, { shortcodes, domain })
    else await invalidateRenderCacheWith(ctx, { shortcodes, domain })
  },
}
