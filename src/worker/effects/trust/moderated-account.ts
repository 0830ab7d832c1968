// What follows when staff shut an account out, or let it in again.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { followAgain } from '#domain/federation/queue/follow-again.ts'
import { insertTombstone } from '#domain/federation/queue/tombstones.ts'
import { applySuspensionToFiles } from '#domain/content/media/storage/hide-files.ts'
import { listLimitEnds } from '#domain/trust/moderation/limit-ends.ts'
import { severAccount } from '#domain/trust/moderation/sever-account.ts'
import { refreshAccount } from '#worker/jobs/refresh-accounts.ts'

/** Has a limit with an end lifted at that time, and not by the job of the minute after it. */
export const liftOnTime = {
  name: 'lift-on-time',
  async run(ctx: Ctx, { accountId }: EventOf<'account.suspended' | 'account.limits-changed'>) {
    for (const { limitKind, endsAt } of await listLimitEnds(ctx, accountId)) {
      await ctx.jobs.add('lift-limits', {}, { key: `lift-limits:${accountId}:${limitKind}`, runAt: endsAt })
    }
  },
} as const

/** A suspended account of another server follows nobody here any more. */
export const severSuspended = {
  name: 'sever-suspended',
  slow: true,
  run: (ctx: Ctx, { accountId }: EventOf<'account.suspended'>) => severAccount(ctx, accountId),
} as const

/** Nobody gets the files of a suspended account any more, from an object store neither. */
export const hideFiles = {
  name: 'hide-files',
  slow: true,
  queue: ({ accountId }: EventOf<'account.suspended' | 'account.unsuspended'>) => `hide-files:${accountId}`,
  run: (ctx: Ctx, { accountId }: EventOf<'account.suspended' | 'account.unsuspended'>) =>
    applySuspensionToFiles(ctx, accountId),
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
