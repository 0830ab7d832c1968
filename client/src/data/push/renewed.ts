// The browser has made another push subscription than the one the server knows, see worker/renew.ts, or has lost it.
import { renewedCache } from '../../core/worker-messages.ts'
import { chosenPush, forgetPush, rememberPush, type ChosenPush } from './chosen.ts'
import { knownSubscription, manager, renewSubscription, subscribe } from './subscription.ts'

let telling: Promise<void> | null = null

/** Tells the server to where it pushes now, with the same choice of what. What fails is tried at the next start. */
export const tellRenewedPush = (): Promise<void> =>
  (telling ??= tellRenewed()
    .catch(() => {})
    .finally(() => {
      telling = null
    }))

async function tellRenewed(): Promise<void> {
  const chosen = chosenPush()
  const isRenewed = 'caches' in globalThis && (await caches.has(renewedCache))
  if (!chosen && !isRenewed) return
  const own = await ownSubscription(chosen !== null)
  if (own && own.endpoint !== chosen?.endpoint) await sendRenewed(own, chosen)
  if (isRenewed) await caches.delete(renewedCache)
}

/** That of the browser; where it has none but should, one is made. */
async function ownSubscription(isWanted: boolean): Promise<PushSubscription | null> {
  const pushing = await manager()
  const own = (await pushing?.getSubscription()) ?? null
  if (own || !pushing || !isWanted || Notification.permission !== 'granted') return own
  return await subscribe(pushing)
}

/** The server may have been told by the push service that the old one ended, and have forgotten it. */
async function sendRenewed(own: PushSubscription, chosen: ChosenPush | null): Promise<void> {
  const known = await knownSubscription()
  const choice = known ?? chosen
  // Nothing is pushed to this session: there is nothing to go on with.
  if (!choice) return
  const { endpoint } = own
  const { alerts, policy } = choice
  if (endpoint !== known?.endpoint && !(await renewSubscription(own, { alerts, policy }))) return forgetPush()
  rememberPush({ endpoint, alerts, policy })
}
