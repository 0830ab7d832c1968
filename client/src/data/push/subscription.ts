// What the server knows of this browser's push subscription.
import type { WebPushSubscription } from '#entities/push-subscription.ts'
import { post, put } from '../../api/client.ts'

export const subscriptionPath = '/api/v1/push/subscription'

/** Tells the server where it pushes to, and what. */
export function sendSubscription(made: PushSubscription, data: Partial<WebPushSubscription>) {
  const { endpoint, keys } = made.toJSON()
  return post<WebPushSubscription>(subscriptionPath, {
    body: { subscription: { endpoint, keys, standard: true }, data },
  })
}

/** Changes what is pushed there. */
export function changeSubscription(data: Partial<WebPushSubscription>) {
  return put<WebPushSubscription>(subscriptionPath, { body: { data } })
}
