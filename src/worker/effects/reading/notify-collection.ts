import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { notifyOfCollectionItem, notifyOfCollectionUpdate } from '#domain/reading/notifications/notify.ts'

/** Tells an account that it is featured. */
export const notifyCollectionItem = {
  name: 'notify-collection-item',
  run: (ctx: Ctx, event: EventOf<'collection-item.added'>) => notifyOfCollectionItem(ctx, event.itemId),
}

/** Tells featured accounts of a change to the company they are in. */
export const notifyCollectionUpdate = {
  name: 'notify-collection-update',
  run: (ctx: Ctx, event: EventOf<'collection.updated'>) => notifyOfCollectionUpdate(ctx, event.collectionId),
}
