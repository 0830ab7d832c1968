import type { Ctx } from '#ports/ctx.ts'
import { recordThreadRefresh } from '#domain/content/statuses/thread-refresh.ts'
import { fetchReplies } from '#federation/ingest/back-fill/replies.ts'
import type { StatusId } from '#lib/id.ts'

/** Fetches the thread below a status, and says how far it has come to those who wait. */
export async function fetchThreadReplies(ctx: Ctx, statusId: StatusId): Promise<void> {
  let resultCount = 0
  const onReply = (count: number) => {
    resultCount = count
    return recordThreadRefresh(ctx, statusId, { status: 'running', resultCount })
  }
  try {
    await fetchReplies(ctx, statusId, onReply)
  } finally {
    await recordThreadRefresh(ctx, statusId, { status: 'finished', resultCount })
  }
}
