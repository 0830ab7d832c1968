// What a service worker has, as far as this one uses it: the compiler's own types are of pages.

export interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  /** Asked for while the worker starts. */
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}

export interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null
}

/** What the browser, or its push service, has put an end to. */
export interface SubscriptionEvent extends ExtendableEvent {
  readonly oldSubscription: PushSubscription | null
  /** Where the browser has made another one by itself. */
  readonly newSubscription: PushSubscription | null
}

export interface NotificationEvent extends ExtendableEvent {
  /** The name of the button; '' for the notification itself. */
  readonly action: string
  readonly notification: Notification
}

export interface MessageFromPage extends ExtendableEvent {
  readonly data: unknown
}

export interface WindowClient {
  readonly url: string
  focus(): Promise<unknown>
  postMessage(message: unknown, transfer?: readonly MessagePort[]): void
}

interface Registration {
  readonly navigationPreload?: { enable(): Promise<void> }
  readonly pushManager: PushManager
  showNotification(title: string, options: object): Promise<void>
  getNotifications(filter?: { tag: string }): Promise<Notification[]>
}

export interface Worker {
  skipWaiting(): Promise<void>
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window' }): Promise<readonly WindowClient[]>
    openWindow(url: string): Promise<WindowClient | null>
  }
  readonly registration: Registration
  addEventListener(type: 'install' | 'activate', listen: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listen: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listen: (event: MessageFromPage) => void): void
  addEventListener(type: 'push', listen: (event: PushEvent) => void): void
  addEventListener(type: 'pushsubscriptionchange', listen: (event: SubscriptionEvent) => void): void
  addEventListener(type: 'notificationclick', listen: (event: NotificationEvent) => void): void
}

export const worker = globalThis as unknown as Worker
