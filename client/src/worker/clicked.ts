// What somebody chose on a notification: a view, or something to be done. An open window of the app goes there without
// another document, so that nothing is lost that is being written in it.
import { workerActs, type ToApp } from '../core/worker-messages.ts'
import type { ShownData } from './push.ts'
import { worker, type NotificationEvent, type WindowClient } from './worker.ts'

/** Milliseconds in which an open window of the app says that it has heard. Pages of settings never do. */
const patience = 500

function messageOf({ action, notification }: NotificationEvent): ToApp {
  const { path, id } = (notification.data as ShownData | null) ?? { path: '/notifications', id: null }
  const act = workerActs.find((one) => one === action)
  if (act && id !== null) return { kind: 'act', act, id }
  return { kind: 'open', path: action === 'reply' ? `/publish?in_reply_to_id=${id}` : path }
}

/** Whether this window is the app's and has taken the message. */
export function hears(client: WindowClient, message: ToApp): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.addEventListener('message', () => resolve(true))
    port1.start()
    client.postMessage(message, [port2])
    setTimeout(() => resolve(false), patience)
  })
}

export async function follow(event: NotificationEvent): Promise<void> {
  event.notification.close()
  const message = messageOf(event)
  for (const client of await worker.clients.matchAll({ type: 'window' })) {
    if (!(await hears(client, message))) continue
    // Not every browser lets a worker do so.
    if (message.kind === 'open') await client.focus().catch(() => {})
    return
  }
  if (message.kind === 'open') return void (await worker.clients.openWindow(message.path))
  const opened = await worker.clients.openWindow('/notifications')
  opened?.postMessage(message, [])
}
