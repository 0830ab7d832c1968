// What was undone leaves no notification behind.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import {
  removeBlockedNotifications,
  removeCollectionNotifications,
  removeDomainNotifications,
  removeFavouriteNotification,
  removeFollowNotifications,
  removeQuoteNotifications,
  removeStatusNotifications,
  type GoneStatus,
} from '#domain/reading/notifications/remove.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'

const name = 'remove-notifications'

const removeOf = createBatchLoader<Ctx, GoneStatus, void>({
  max: 50,
  run: (ctx, gone) => removeStatusNotifications(ctx, gone),
})

export const removeOfFavourite = {
  name,
  run: (ctx: Ctx, event: EventOf<'favourite.deleted'>) => removeFavouriteNotification(ctx, event),
}

export const removeOfStatus = {
  name,
  run: (ctx: Ctx, event: EventOf<'status.deleted'>) => removeOf(ctx, event),
}

export const removeOfCollectionItem = {
  name,
  run: (ctx: Ctx, event: EventOf<'collection-item.removed'>) => removeCollectionNotifications(ctx, event),
}

export const removeOfQuote = {
  name,
  run: (ctx: Ctx, event: EventOf<'quote.revoked'>) =>
    removeQuoteNotifications(ctx, { statusId: event.statusId }),
}

type FollowEnd =
  | 'follow.deleted'
  | 'follow.rejected'
  | 'follow-request.deleted'
  | 'follow-request.accepted'
  | 'follow-request.rejected'

/** An accepted request loses its notification too: the one of the follow takes its place. */
export const removeOfFollow = {
  name,
  run: (ctx: Ctx, event: EventOf<FollowEnd>) => removeFollowNotifications(ctx, event),
}

export const removeOfBlock = {
  name,
  run: (ctx: Ctx, event: EventOf<'block.created'>) => removeBlockedNotifications(ctx, event),
}

export const removeOfDomainBlock = {
  name,
  run: (ctx: Ctx, event: EventOf<'domain-block.created'>) => removeDomainNotifications(ctx, event),
}
