// The browser has made another push subscription than the one the server knows: see worker/renew.ts.
import type { WebPushSubscription } from '#entities/push-subscription.ts'
import { get, post } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { renewedCache } from '../../core/worker-messages.ts'

const path = '/api/v1/push/subscription'

/** Tells the server to where it pushes now, with the same choice of what. What fails is tried at the next start. */
export async function tellRenewedPush(): Promise<void> {
  if (!('caches' in globalThis) || !(await caches.has(renewedCache))) return
  try {
    const own = await (await navigator.serviceWorker.ready).pushManager.getSubscription()
    const { body: known } = await get<WebPushSubscription>(path)
    if (own && own.endpoint !== known.endpoint) {
      const { endpoint, keys } = own.toJSON()
      const data = { alerts: known.alerts, policy: known.policy }
      await post(path, { body: { subscription: { endpoint, keys, standard: true }, data } })
    }
  } catch (error) {
    // Nothing is pushed to this session: there is nothing to go on with.
    if (!(error instanceof ApiError && error.status === 404)) return
  }
  await caches.delete(renewedCache)
}
