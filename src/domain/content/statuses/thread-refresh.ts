// The fetching of a thread as clients can follow it (https://docs.joinmastodon.org/api/async-refreshes/). It is short
// and may be forgotten, so it is kept with what may be lost.
import type { Ctx } from '#ports/ctx.ts'
import { isThreadStale } from './reply-trees.ts'
import type { StatusId } from '#lib/id.ts'

export interface ThreadRefresh {
  status: 'running' | 'finished'
  /** Replies that have come so far. */
  resultCount: number
}

/** How long one is known, in seconds. */
const keptFor = 3600

const keyOf = (statusId: StatusId) => `thread-refresh:${statusId}`

/** Null when none is known. */
export async function findThreadRefresh(ctx: Ctx, statusId: StatusId): Promise<ThreadRefresh | null> {
  const text = await ctx.kv.get(keyOf(statusId)).catch(() => null)
  return text === null ? null : (JSON.parse(text) as ThreadRefresh)
}

/** Says how far one has come. */
export async function recordThreadRefresh(
  ctx: Ctx,
  statusId: StatusId,
  refresh: ThreadRefresh,
): Promise<void> {
  await ctx.kv.set(keyOf(statusId), JSON.stringify(refresh), keptFor).catch(() => {})
}

/**
 * Has the replies to a status of another server fetched in the background, when it is time to. Returns what is under
 * way; null when nothing is.
 */
export async function refreshThread(ctx: Ctx, statusId: StatusId): Promise<ThreadRefresh | null> {
  const earlier = await findThreadRefresh(ctx, statusId)
  if (earlier?.status === 'running') return earlier
  if (!(await isThreadStale(ctx, statusId))) return null
  const refresh: ThreadRefresh = { status: 'running', resultCount: 0 }
  await recordThreadRefresh(ctx, statusId, refresh)
  await ctx.jobs.add('fetch-replies', { statusId }, { key: `replies:${statusId}`, maxAttempts: 1 })
  return refresh
}
