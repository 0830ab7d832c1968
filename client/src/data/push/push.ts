// Pushing notifications to this device: what the browser says, and what the server knows of it.
import type { WebPushSubscription } from '#entities/push-subscription.ts'
import { signal } from '@preact/signals'
import { del, get } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { instance } from '../session.ts'
import { changeSubscription, sendSubscription, subscriptionPath } from './subscription.ts'

/** `none`: this browser cannot. `refused`: its owner said that this site may not. */
export type PushState = 'unknown' | 'none' | 'refused' | 'off' | 'on'

export const pushState = signal<PushState>('unknown')

/** What is on at first: all that a subscription tells of. Each device chooses on /settings/notifications. */
const allOf = (alerts: WebPushSubscription['alerts']) =>
  Object.fromEntries(Object.keys(alerts).map((kind) => [kind, true]))

const manager = async (): Promise<PushManager | undefined> =>
  typeof Notification === 'undefined' ? undefined : (await navigator.serviceWorker?.ready)?.pushManager

/** Looks whether notifications are pushed to this browser, in this session. */
export async function lookAtPush(): Promise<void> {
  pushState.value = await findState().catch(() => 'off' as const)
}

async function findState(): Promise<PushState> {
  if (typeof Notification === 'undefined' || typeof PushManager === 'undefined' || !navigator.serviceWorker)
    return 'none'
  if (Notification.permission === 'denied') return 'refused'
  const own = await (await manager())?.getSubscription()
  if (!own) return 'off'
  const known = await get<WebPushSubscription>(subscriptionPath).catch(() => null)
  return known?.body.endpoint === own.endpoint ? 'on' : 'off'
}

/** Asks for permission, and has the server push to this browser. */
export async function startPush(): Promise<void> {
  try {
    if ((await Notification.requestPermission()) !== 'granted') return await lookAtPush()
    const applicationServerKey = instance.peek().data?.configuration.vapid.public_key ?? ''
    const options = { userVisibleOnly: true, applicationServerKey }
    const pushing = await manager()
    // One that was made for another key is of no use.
    const made = await pushing?.subscribe(options).catch(async (error: unknown) => {
      const old = await pushing.getSubscription()
      if (!old) throw error
      await old.unsubscribe()
      return await pushing.subscribe(options)
    })
    if (!made) return
    const { alerts } = await sendSubscription(made, {})
    await changeSubscription({ alerts: allOf(alerts) })
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
    await del(subscriptionPath)
    await (await (await manager())?.getSubscription())?.unsubscribe()
    pushState.value = 'off'
    tell(t.push.isOff)
  } catch (error) {
    tell(wordsOf(error), 'problem')
  }
}
