import type { TaskList } from 'graphile-worker'
import type { Ctx } from '#ports/ctx.ts'
import type { Event } from '#ports/events.ts'
import type { Id } from '#lib/id.ts'
import { fetchCard } from '#domain/cards/fetch-card.ts'
import { purgeArchives } from '#domain/portability/archive-export.ts'
import { purgeImports } from '#domain/portability/imports.ts'
import { purgeCards } from '#domain/cards/purge.ts'
import { deleteStale } from '#domain/accounts/delete-stale.ts'
import { publishDueAnnouncements } from '#domain/announcements/publish-due.ts'
import { purgeTombstones } from '#domain/exchange/tombstones.ts'
import { trimMediaCache } from '#domain/media/cache.ts'
import { deleteUnattachedMedia } from '#domain/media/delete.ts'
import { deleteAbandonedFiles } from '#domain/media/files.ts'
import { purgeOauth } from '#domain/oauth/purge.ts'
import { askForDigests } from '#domain/notifications/digest.ts'
import { trimNotifications } from '#domain/notifications/trim.ts'
import { closePolls } from '#domain/polls/close-polls.ts'
import { expireMutes } from '#domain/relationships/mute.ts'
import { publishDue } from '#domain/statuses/publish-scheduled.ts'
import { purgeDeletedStatuses, purgeIdempotencyKeys } from '#domain/statuses/purge.ts'
import { refreshPopular } from '#domain/suggestions/popular.ts'
import { trimHomeFeeds } from '#domain/timelines/home-feed.ts'
import { trimListFeeds } from '#domain/timelines/list-feed.ts'
import { refreshTrends } from '#domain/trends/refresh-trends.ts'
import { deliverResults } from '#federation/outbox/statuses.ts'
import { synchroniseFollowers, type Synchronisation } from '#federation/inbox/synchronise.ts'
import { findEffect, runEffect } from '../effects/index.ts'
import { deliverPush, type PushJob } from './deliver-push.ts'
import { fetchThreadReplies } from './fetch-replies.ts'
import { mailNotificationNow } from './mail-notification.ts'
import { refreshAccount, refreshStaleAccounts } from './refresh-accounts.ts'

/** Jobs by name. Each takes its payload and may run again after a failure. */
export function createTasks(ctx: Ctx): TaskList {
  return {
    'close-polls': async () => void (await closePolls(ctx)),
    'deliver-push': (payload) => deliverPush(ctx, payload as PushJob),
    'deliver-results': (payload) => deliverResults(ctx, (payload as { pollId: Id }).pollId),
    'delete-abandoned-files': async () => void (await deleteAbandonedFiles(ctx)),
    'delete-stale-users': async () => deleteStale(ctx),
    'delete-unattached-media': async () => void (await deleteUnattachedMedia(ctx)),
    'fetch-card': (payload) => fetchCard(ctx, (payload as { cardId: Id }).cardId),
    'fetch-replies': (payload) => fetchThreadReplies(ctx, (payload as { statusId: Id }).statusId),
    'purge-archives': () => purgeArchives(ctx),
    'purge-imports': () => purgeImports(ctx),
    'purge-cards': async () => void (await purgeCards(ctx)),
    'expire-mutes': async () => void (await expireMutes(ctx)),
    'mail-notification': (payload) =>
      mailNotificationNow(ctx, (payload as { notificationId: Id }).notificationId),
    'publish-announcements': () => publishDueAnnouncements(ctx),
    'publish-scheduled': async () => void (await publishDue(ctx)),
    'purge-deleted-statuses': async () => void (await purgeDeletedStatuses(ctx)),
    'purge-idempotency-keys': () => purgeIdempotencyKeys(ctx),
    'purge-oauth': () => purgeOauth(ctx),
    'refresh-account': (payload) => refreshAccount(ctx, (payload as { accountId: Id }).accountId),
    'refresh-stale-accounts': () => refreshStaleAccounts(ctx),
    'refresh-popular': () => refreshPopular(ctx),
    'purge-tombstones': () => purgeTombstones(ctx),
    'refresh-trends': () => refreshTrends(ctx),
    'send-digests': () => askForDigests(ctx),
    'synchronise-followers': (payload) => synchroniseFollowers(ctx, payload as Synchronisation),
    'trim-home-feeds': () => trimHomeFeeds(ctx),
    'trim-list-feeds': () => trimListFeeds(ctx),
    'trim-notifications': () => trimNotifications(ctx),
    'trim-media-cache': () => trimMediaCache(ctx),
    effect: async (payload) => {
      const { event, effect } = payload as { event: Event; effect: string }
      const found = findEffect(event, effect)
      if (found) await runEffect(ctx, event, found)
    },
  }
}
