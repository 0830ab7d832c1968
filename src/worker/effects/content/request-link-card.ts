import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { attachCard } from '#domain/content/cards/attach-card.ts'
import { audienceOf } from './status-audience.ts'

/** Gives a status the preview of its link. */
export const requestLinkCard = {
  name: 'request-link-card',
  async run(ctx: Ctx, event: EventOf<'status.created' | 'status.updated'>) {
    if (event.type === 'status.updated' || (await audienceOf(ctx, event))?.links)
      await attachCard(ctx, event.statusId)
  },
}
