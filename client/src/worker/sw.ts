// The service worker: the app opens without a network, takes what other apps share, and shows what is pushed.
import type { ToWorker } from '../core/worker-messages.ts'
import { follow } from './clicked.ts'
import { activate, install, isAppFile, keepShell, openFile, openPage, openPicture } from './pages.ts'
import { showPushed } from './push.ts'
import { renewPush } from './renew.ts'
import { takeShared } from './share.ts'
import { worker } from './worker.ts'

worker.addEventListener('install', (event) => event.waitUntil(install().then(() => worker.skipWaiting())))
worker.addEventListener('activate', (event) => event.waitUntil(activate()))

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== location.origin) return
  if (request.method === 'POST' && url.pathname === '/share') return event.respondWith(takeShared(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') return event.respondWith(openPage(event))
  if (isAppFile(url.pathname)) return event.respondWith(openFile(request))
  if (request.destination === 'image') event.respondWith(openPicture(request))
})

worker.addEventListener('message', (event) => {
  const { kind, path } = event.data as ToWorker
  if (kind === 'shell') event.waitUntil(keepShell(path).catch(() => {}))
})

worker.addEventListener('push', (event) => event.waitUntil(showPushed((event.data?.json() ?? {}) as object)))
worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewPush(event)))
worker.addEventListener('notificationclick', (event) => event.waitUntil(follow(event)))
