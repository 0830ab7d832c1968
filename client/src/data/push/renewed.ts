// The browser has made another push subscription than the one the server knows: see worker/renew.ts.
import type { WebPushSubscription } from '#entities/push-subscription.ts'
import { get } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { renewedCache } from '../../core/worker-messages.ts'
import { sendSubscription, subscriptionPath } from './subscription.ts'

/** Tells the server to where it pushes now, with the same choice of what. What fails is tried at the next start. */
export async function tellRenewedPush(): Promise<void> {
  if (!('caches' in globalThis) || !(await caches.has(renewedCache))) return
  try {
    const own = await (await navigator.serviceWorker.ready).pushManager.getSubscription()
    const { body: known } = await get<WebPushSubscription>(subscriptionPath)
    if (own && own.endpoint !== known.endpoint)
      await sendSubscription(own, { alerts: known.alerts, policy: known.policy })
  } catch (error) {
    // Nothing is pushed to this session: there is nothing to go on with.
    if (!(error instanceof ApiError && error.status === 404)) return
  }
  await caches.delete(renewedCache)
}
