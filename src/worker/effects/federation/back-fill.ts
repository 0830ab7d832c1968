import { mergeHome } from '#domain/reading/timelines/merge-home.ts'
import { backFill } from '#federation/ingest/back-fill/back-fill.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'

/** Somebody here follows an account elsewhere: what it wrote lately comes along. */
export const fetchEarlier = {
  name: 'fetch-earlier',
  background: true,
  async run(ctx: Ctx, { accountId, targetAccountId }: EventOf<'follow.created'>) {
    await backFill(ctx, targetAccountId)
    await mergeHome(ctx, accountId, targetAccountId)
  },
}
