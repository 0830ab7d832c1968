// This browser's push subscription, and what the server knows of it.
import type { WebPushSubscription } from '#entities/push-subscription.ts'
import { get, post, put } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { instance } from '../session.ts'

export const subscriptionPath = '/api/v1/push/subscription'

/** What is pushed, and of whom. */
export type PushChoice = Pick<WebPushSubscription, 'alerts' | 'policy'>

/** Returns the one of this session; null where nothing is pushed to it. */
export async function knownSubscription(): Promise<WebPushSubscription | null> {
  try {
    return (await get<WebPushSubscription>(subscriptionPath)).body
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** Returns what the browser subscribes with; undefined where it cannot. */
export const manager = async (): Promise<PushManager | undefined> =>
  typeof Notification === 'undefined' ? undefined : (await navigator.serviceWorker?.ready)?.pushManager

/** Has the browser subscribe with the key of this server. */
export async function subscribe(pushing: PushManager): Promise<PushSubscription> {
  const applicationServerKey = instance.peek().data?.configuration.vapid.public_key ?? ''
  const options = { userVisibleOnly: true, applicationServerKey }
  // One that was made for another key is of no use.
  return await pushing.subscribe(options).catch(async (error: unknown) => {
    const old = await pushing.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    return await pushing.subscribe(options)
  })
}

/** Tells the server where it pushes to, and what. */
export function sendSubscription(made: PushSubscription, data: Partial<PushChoice>, renewed = false) {
  const { endpoint, keys } = made.toJSON()
  return post<WebPushSubscription>(subscriptionPath, {
    body: { subscription: { endpoint, keys, standard: true, renewed }, data },
  })
}

/** Tells the server of another one in the place of one that ended; false: its owner ended that one, as in the settings. */
export async function renewSubscription(made: PushSubscription, data: PushChoice): Promise<boolean> {
  try {
    await sendSubscription(made, data, true)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

/** Changes what is pushed there. */
export function changeSubscription(data: Partial<PushChoice>) {
  return put<WebPushSubscription>(subscriptionPath, { body: { data } })
}
