// What the service worker wants done: somebody chose a notification, or one of its buttons.
import { post } from '../api/client.ts'
import { wordsOf } from '../api/errors.ts'
import { tell } from '../core/tell.ts'
import { t } from '../core/texts.ts'
import type { ToApp, WorkerAct } from '../core/worker-messages.ts'
import { visit } from '../router/router.ts'
import { tellRenewedPush } from './push/renewed.ts'
import { invalidate } from './query.ts'

const acts: Readonly<Record<WorkerAct, { path: (id: string) => string; done: () => string }>> = {
  favourite: { path: (id) => `/api/v1/statuses/${id}/favourite`, done: () => t.push.favourited },
  authorize: { path: (id) => `/api/v1/follow_requests/${id}/authorize`, done: () => t.requests.accepted },
  reject: { path: (id) => `/api/v1/follow_requests/${id}/reject`, done: () => t.requests.rejected },
}

export async function doFromWorker(message: ToApp): Promise<void> {
  if (message.kind === 'open') return visit(message.path)
  if (message.kind === 'push-renewed') return await tellRenewedPush()
  const { path, done } = acts[message.act]
  try {
    await post(path(message.id))
    tell(done())
    if (message.act !== 'favourite') invalidate('/api/v1/accounts/verify_credentials')
  } catch (error) {
    tell(wordsOf(error), 'problem')
  }
}
