// Pushing notifications to this device: what the browser says, and what the server knows of it.
import type { WebPushSubscription } from '#entities/push-subscription.ts'
import { signal } from '@preact/signals'
import { remove } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { chosenPush, forgetPush, rememberPush } from './chosen.ts'
import { tellRenewedPush } from './renewed.ts'
import {
  changeSubscription,
  knownSubscription,
  manager,
  sendSubscription,
  subscribe,
  subscriptionPath,
} from './subscription.ts'

/** `none`: this browser cannot. `refused`: its owner said that this site may not. */
export type PushState = 'unknown' | 'none' | 'refused' | 'off' | 'on'

export const pushState = signal<PushState>('unknown')

/** What is on at first: all that a subscription tells of. Each device chooses on /settings/notifications. */
const allOf = (alerts: WebPushSubscription['alerts']) =>
  Object.fromEntries(Object.keys(alerts).map((kind) => [kind, true]))

/** Looks whether notifications are pushed to this browser, in this session. */
export async function lookAtPush(): Promise<void> {
  pushState.value = await findState().catch(() => 'unknown' as const)
}

async function findState(): Promise<PushState> {
  if (typeof Notification === 'undefined' || typeof PushManager === 'undefined' || !navigator.serviceWorker)
    return 'none'
  if (Notification.permission === 'denied') return 'refused'
  await tellRenewedPush()
  const own = await (await manager())?.getSubscription()
  if (!own) return 'off'
  const known = await knownSubscription()
  if (known?.endpoint === own.endpoint) {
    rememberPush(known)
    return 'on'
  }
  // It was ended elsewhere, as in the settings.
  if (chosenPush()?.endpoint === own.endpoint) forgetPush()
  return 'off'
}

/** Asks for permission, and has the server push to this browser. */
export async function startPush(): Promise<void> {
  try {
    if ((await Notification.requestPermission()) !== 'granted') return await lookAtPush()
    const pushing = await manager()
    if (!pushing) return
    const made = await subscribe(pushing)
    const { alerts } = await sendSubscription(made, {})
    rememberPush(await changeSubscription({ alerts: allOf(alerts) }))
    pushState.value = 'on'
    tell(t.push.isOn)
  } catch (error) {
    // The browser's own words say nothing to people.
    tell(error instanceof DOMException ? t.push.failed : wordsOf(error), 'problem')
  }
}

/** Nothing is pushed to this browser any more. */
export async function endPush(): Promise<void> {
  try {
    forgetPush()
    await remove(subscriptionPath)
    await (await (await manager())?.getSubscription())?.unsubscribe()
    pushState.value = 'off'
    tell(t.push.isOff)
  } catch (error) {
    tell(wordsOf(error), 'problem')
  }
}
