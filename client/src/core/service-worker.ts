// The service worker as the app sees it: see worker/sw.ts. Where there can be none, nothing changes.
import { signal } from '@preact/signals'
import { serviceWorkerUrl } from './trusted.ts'
import type { ToApp, ToWorker } from './worker-messages.ts'

/** Whether a newer app is there than the one that runs. */
export const isOutdated = signal(false)

const container = (): ServiceWorkerContainer | undefined => navigator.serviceWorker

/** Has the app open without a network from now on. */
export function registerWorker(): void {
  container()
    ?.register(serviceWorkerUrl(), { scope: '/' })
    .then(tellShell, () => {})
}

/** What came before the app was ready to hear it. */
let waiting: ToApp[] | null = []
let answer: (message: ToApp) => void = () => {}

/** Hears the worker from now on. To be called before anything is waited for: what was said before that is lost. */
export function listenToWorker(): void {
  let wasLookedAfter = Boolean(container()?.controller)
  container()?.addEventListener('controllerchange', () => {
    // The first worker of a browser brings nothing new.
    if (wasLookedAfter) isOutdated.value = true
    wasLookedAfter = true
  })
  container()?.addEventListener('message', ({ data, ports }: MessageEvent<ToApp>) => {
    ports[0]?.postMessage('heard')
    if (waiting) waiting.push(data)
    else answer(data)
  })
}

/** Does what the worker says, and what it has said. */
export function answerWorker(run: (message: ToApp) => void): void {
  const said = waiting ?? []
  answer = run
  waiting = null
  for (const message of said) run(message)
}

/** How somebody wants things to look stands at the document: without a network there is one that looks the same. */
function tellShell({ active, installing, waiting: next }: ServiceWorkerRegistration): void {
  const { dataset, lang } = document.documentElement
  const message: ToWorker = { kind: 'shell', path: `/app/shell?${new URLSearchParams({ lang, ...dataset })}` }
  const one = installing ?? next ?? active
  one?.postMessage(message, [])
}
