// What the service worker and the app say to each other.

/** What a button of a notification does. The worker has no token: the app does it. */
export const workerActs = ['favourite', 'authorize', 'reject'] as const
export type WorkerAct = (typeof workerActs)[number]

/** To the app, which answers by the port that came with it that it has heard. */
export type ToApp =
  /** A notification was chosen: the view of what it is about. */
  | { kind: 'open'; path: string }
  /** `id`: of the post, or of whoever asks to follow. */
  | { kind: 'act'; act: WorkerAct; id: string }
  /** The browser has another subscription than the server knows of. */
  | { kind: 'push-renewed' }

/** There while the server does not know to where it pushes to this browser now. */
export const renewedCache = 'push-renewed'

/** To the worker: how somebody wants the app to look without a network, as the address of its document. */
export interface ToWorker {
  kind: 'shell'
  path: string
}

/** Where the worker lays what other apps shared, until a view takes it. */
export const sharedCache = 'shared'
