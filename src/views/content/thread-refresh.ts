import type { AsyncRefresh } from '#entities/annual-report.ts'
import type { ThreadRefresh } from '#domain/content/statuses/thread-refresh.ts'
import { isId } from '#lib/ids.ts'
import { asId, type StatusId } from '#lib/id.ts'

/** Seconds after which clients should ask again. */
const retry = 3

const refreshId = (statusId: StatusId) => `thread-${statusId}`

/** The status whose thread a name of `threadRefreshHeader` means; null for others. */
export function parseThreadRefreshId(id: string): StatusId | null {
  const statusId = id.startsWith('thread-') ? id.slice('thread-'.length) : ''
  return isId(statusId) ? asId<StatusId>(statusId) : null
}

/** Under which name clients can follow that more of a thread is on its way. */
export function threadRefreshHeader(
  statusId: StatusId,
  { resultCount }: ThreadRefresh,
): Record<string, string> {
  return {
    'mastodon-async-refresh': `id="${refreshId(statusId)}", retry=${retry}, result_count=${resultCount}`,
  }
}

/** AsyncRefresh (https://docs.joinmastodon.org/entities/AsyncRefresh/) of a thread. */
export function renderThreadRefresh(
  statusId: StatusId,
  { status, resultCount }: ThreadRefresh,
): AsyncRefresh {
  return { async_refresh: { id: refreshId(statusId), status, result_count: resultCount } }
}
