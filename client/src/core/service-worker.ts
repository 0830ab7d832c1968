import { serviceWorkerUrl } from './trusted.ts'

/** Has the app open without a network from now on: see worker/sw.ts. Where there can be none, nothing changes. */
export function registerWorker(): void {
  navigator.serviceWorker?.register(serviceWorkerUrl(), { scope: '/' }).catch(() => {})
}
