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
} from '#domain/reading/notifications/remove.ts'

const name = 'remove-notifications'

export const removeOfFavourite = {
  name,
  run: (ctx: Ctx, event: EventOf<'favourite.deleted'>) => removeFavouriteNotification(ctx, event),
}

export const removeOfStatus = {
  name,
  run: (ctx: Ctx, event: EventOf<'status.deleted'>) => removeStatusNotifications(ctx, event),
}

export const removeOfCollectionItem = {
  name,
  run: (ctx: Ctx, event: EventOf<'collection-item.removed'>) => removeCollectionNotifications(ctx, event),
}

export const removeOfQuote = {
  name,
  run: (ctx: Ctx, event: EventOf<'quote.revoked'>) => removeQuoteNotifications(ctx, event),
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
