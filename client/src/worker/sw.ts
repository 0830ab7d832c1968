// The service worker: the app opens without a network, and what the server pushes is shown. No answer of the API and no
// document with somebody's data is ever kept by it: the token of a session stands in documents (AUTH-22).

/** Put in when it is built: the files of the app, whose names change with their content. */
declare const appFiles: readonly string[]

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  /** Asked for while the worker starts. */
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}

interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null
}

interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification
}

interface WindowClient {
  readonly url: string
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}

interface Worker {
  skipWaiting(): Promise<void>
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window' }): Promise<readonly WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  readonly registration: {
    readonly navigationPreload?: { enable(): Promise<void> }
    showNotification(title: string, options: object): Promise<void>
  }
  addEventListener(type: 'install' | 'activate', listen: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listen: (event: FetchEvent) => void): void
  addEventListener(type: 'push', listen: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listen: (event: NotificationEvent) => void): void
}

const worker = globalThis as unknown as Worker
const shell = '/app/shell'
const appCache = 'app'
const pictureCache = 'pictures'
const maxPictures = 300

/** The files of this build, and the document without anybody's data. */
async function install(): Promise<void> {
  const cache = await caches.open(appCache)
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  await cache.addAll(
    [shell, ...appFiles.filter((file) => !kept.has(file))].map(
      (path) => new Request(path, { credentials: 'omit' }),
    ),
  )
}

async function activate(): Promise<void> {
  const cache = await caches.open(appCache)
  const wanted = new Set([shell, ...appFiles])
  for (const request of await cache.keys())
    if (!wanted.has(new URL(request.url).pathname)) await cache.delete(request)
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
}

/** Pages come from the server while it can be reached. */
async function openPage({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch (error) {
    const kept = await caches.match(shell)
    if (kept) return kept
    throw error
  }
}

async function openFile(request: Request): Promise<Response> {
  return (await caches.match(request.url)) ?? (await fetch(request))
}

/** Pictures of this server, as of avatars: what was seen last is there without a network. */
async function openPicture(request: Request): Promise<Response> {
  const cache = await caches.open(pictureCache)
  const kept = await cache.match(request)
  if (kept) return kept
  const response = await fetch(request)
  if (response.status === 200 && response.type === 'basic') {
    await cache.put(request, response.clone())
    const [oldest, ...rest] = await cache.keys()
    if (oldest && rest.length >= maxPictures) await cache.delete(oldest)
  }
  return response
}

worker.addEventListener('install', (event) => event.waitUntil(install().then(() => worker.skipWaiting())))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (request.mode === 'navigate') return event.respondWith(openPage(event))
  if (appFiles.includes(url.pathname)) return event.respondWith(openFile(request))
  if (request.destination === 'image') event.respondWith(openPicture(request))
})

interface Pushed {
  title?: string
  body?: string
  icon?: string
  notification_id?: number
}

worker.addEventListener('push', (event) => {
  const { title = '', body = '', icon, notification_id: id } = (event.data?.json() ?? {}) as Pushed
  const options = { body, tag: String(id ?? ''), ...(icon !== undefined && { icon }) }
  event.waitUntil(worker.registration.showNotification(title, options))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(showNotifications())
})

async function showNotifications(): Promise<void> {
  const [client] = await worker.clients.matchAll({ type: 'window' })
  if (!client) return void (await worker.clients.openWindow('/notifications'))
  await client.focus()
  await client.navigate('/notifications')
}
