// What is fetched because somebody looks at it, and waits to see it come.
import type { Ctx } from '#ports/ctx.ts'
import { recordRefresh, type Refreshed } from '#domain/content/statuses/refreshes.ts'
import { requestRefresh } from '#domain/identity/accounts/remote/refresh-remote.ts'
import { fetchLatest } from '#federation/ingest/back-fill/back-fill.ts'
import { completeActor } from '#federation/ingest/back-fill/complete-actor.ts'
import { fetchReplies } from '#federation/ingest/back-fill/replies.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

type OnResult = (count: number) => Promise<void>

/** Fetches the thread below a status, and says how far it has come to those who wait. */
export const fetchThreadReplies = (ctx: Ctx, statusId: StatusId): Promise<void> =>
  recordProgress(ctx, { kind: 'thread', id: statusId }, (onReply) => fetchReplies(ctx, statusId, onReply))

/** Fetches what an account shows and says, with its document and counters once a day, and says how far it has come. */
export const fetchAccountPosts = (ctx: Ctx, accountId: AccountId): Promise<void> =>
  recordProgress(ctx, { kind: 'account', id: accountId }, async (onPost) => {
    await requestRefresh(ctx, accountId)
    await completeActor(ctx, { accountId, first: false, picturesChanged: false })
    await fetchLatest(ctx, accountId, onPost)
  })

async function recordProgress(
  ctx: Ctx,
  what: Refreshed,
  work: (onResult: OnResult) => Promise<unknown>,
): Promise<void> {
  let resultCount = 0
  try {
    await work((count) => {
      resultCount = count
      return recordRefresh(ctx, what, { status: 'running', resultCount })
    })
  } finally {
    await recordRefresh(ctx, what, { status: 'finished', resultCount })
  }
}
