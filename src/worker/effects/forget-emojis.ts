import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { forgetRenderingsWith } from '#domain/statuses/forget-renderings.ts'

/** Has what shows these emoji rendered anew. It looks at every text there is. */
export const forgetEmojis = {
  name: 'forget-emojis',
  slow: true,
  async run(ctx: Ctx, { shortcodes, domain }: EventOf<'emojis.changed'>) {
    await forgetRenderingsWith(ctx, { shortcodes, domain })
  },
}
