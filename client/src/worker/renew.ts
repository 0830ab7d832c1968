// The push service has ended a subscription, as browsers do now and then: another one takes its place. Only the app has a
// token to tell the server with: an open window does so at once, else the next one that opens.
import { renewedCache, type ToApp } from '../core/worker-messages.ts'
import { hears } from './clicked.ts'
import { worker, type SubscriptionEvent } from './worker.ts'

const message: ToApp = { kind: 'push-renewed' }

export async function renewPush({ oldSubscription, newSubscription }: SubscriptionEvent): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey
  const { pushManager } = worker.registration
  const made =
    newSubscription ??
    (key ? await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }) : null)
  if (!made) return
  await caches.open(renewedCache)
  for (const client of await worker.clients.matchAll({ type: 'window' }))
    if (await hears(client, message)) return
}
