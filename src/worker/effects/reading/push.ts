import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { listAddressees } from '#domain/reading/push/addressees.ts'
import { deletePushSubscription } from '#domain/reading/push/subscriptions.ts'
import { queuePush } from '#worker/jobs/deliver-push.ts'

/** Sends a notification to the devices that want it. Most people have none, so it costs a look, and no job. */
export const pushNotification = {
  name: 'push-notification',
  hasExternalEffects: true,
  async run(ctx: Ctx, { notificationId }: EventOf<'notification.created'>) {
    for (const subscriptionId of await listAddressees(ctx, notificationId))
      await queuePush(ctx, { subscriptionId, notificationId })
  },
}

/** A subscription ends with its token. */
export const endPush = {
  name: 'end-push',
  run: (ctx: Ctx, { tokenId }: EventOf<'token.revoked'>) => deletePushSubscription(ctx, tokenId),
}
