import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { notifyOfFavourite } from '#domain/reading/notifications/notify.ts'

/** Notifies the author of a favourite. */
export const notifyFavourite = {
  name: 'notify-favourite',
  run: (ctx: Ctx, event: EventOf<'favourite.created'>) => notifyOfFavourite(ctx, event),
}
