// What follows when staff shut an account out, or let it in again.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { followAgain } from '#domain/exchange/follow-again.ts'
import { insertTombstone } from '#domain/exchange/tombstones.ts'
import { severAccount } from '#domain/moderation/sever-account.ts'
import { refreshAccount } from '../jobs/refresh-accounts.ts'

/** A suspended account of another server follows nobody here any more. */
export const severSuspended = {
  name: 'sever-suspended',
  run: (ctx: Ctx, { accountId }: EventOf<'account.suspended'>) => severAccount(ctx, accountId),
} as const

/**
 * An account of another server is read again: meanwhile it may have changed, gone, or been suspended there. Who here
 * follows it asks to once more: it was not heard, so it may have answered, or removed them.
 */
export const refreshUnsuspended = {
  name: 'refresh-unsuspended',
  slow: true,
  async run(ctx: Ctx, { accountId }: EventOf<'account.unsuspended'>) {
    await refreshAccount(ctx, accountId)
    await followAgain(ctx, accountId)
  },
} as const

/** What staff deleted of another server never comes back. */
export const rememberBanished = {
  name: 'remember-banished',
  run: (ctx: Ctx, { uri }: EventOf<'status.banished'>) => insertTombstone(ctx, uri),
} as const
