import type { TaskList } from 'graphile-worker'
import type { Ctx } from '#ports/ctx.ts'
import type { Event } from '#ports/events.ts'
import { deleteStale } from '#domain/accounts/delete-stale.ts'
import { purgeOauth } from '#domain/oauth/purge.ts'
import { expireMutes } from '#domain/relationships/mute.ts'
import { purgeDeletedStatuses, purgeIdempotencyKeys } from '#domain/statuses/purge.ts'
import { trimHomeFeeds } from '#domain/timelines/home-feed.ts'
import { findEffect, runEffect } from '../effects/index.ts'

/** Jobs by name. Each takes its payload and may run again after a failure. */
export function createTasks(ctx: Ctx): TaskList {
  return {
    'delete-stale-users': async () => deleteStale(ctx),
    'expire-mutes': async () => void (await expireMutes(ctx)),
    'purge-deleted-statuses': async () => void (await purgeDeletedStatuses(ctx)),
    'purge-idempotency-keys': () => purgeIdempotencyKeys(ctx),
    'purge-oauth': () => purgeOauth(ctx),
    'trim-home-feeds': () => trimHomeFeeds(ctx),
    effect: async (payload) => {
      const { event, effect } = payload as { event: Event; effect: string }
      const found = findEffect(event, effect)
      if (found) await runEffect(ctx, event, found)
    },
  }
}
