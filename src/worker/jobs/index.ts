import type { Task, TaskList } from 'graphile-worker'
import type { Ctx } from '#ports/ctx.ts'
import { timed } from '#ports/meter.ts'
import type { Event } from '#ports/events.ts'
import { refreshDueLists } from '#domain/trust/block-lists/refresh.ts'
import { fetchCard } from '#domain/content/cards/fetch-card.ts'
import { countDays, countToday } from '#domain/maintenance/dashboard/refresh-counts.ts'
import { requireApprovalWithoutStaff } from '#domain/identity/accounts/registration/require-approval.ts'
import { publishDueAnnouncements } from '#domain/reading/announcements/publish-due.ts'
import { endGreylisting } from '#domain/federation/queue/greylist.ts'
import { expireLimits } from '#domain/trust/moderation/expire-limits.ts'
import { askForDigests } from '#domain/reading/notifications/digest.ts'
import { closePolls } from '#domain/content/polls/close-polls.ts'
import { expireMutes } from '#domain/social/relationships/mute.ts'
import { continueMaintenance, runMaintenance } from '#domain/maintenance/retention/run-maintenance.ts'
import { purgeHeldPosts } from '#domain/content/spam/held-posts.ts'
import { purgeHits } from '#domain/content/spam/hits.ts'
import { findNextDue, publishDue } from '#domain/content/statuses/publish/publish-scheduled.ts'
import { refreshPopular } from '#domain/reading/suggestions/popular.ts'
import { trimHomeFeeds } from '#domain/reading/timelines/home-feed.ts'
import { trimListFeeds } from '#domain/reading/timelines/list-feed.ts'
import { refreshTrends } from '#domain/reading/trends/refresh-trends.ts'
import { deliverResults } from '#federation/outbox/statuses.ts'
import { synchroniseFollowers, type Synchronisation } from '#federation/inbox/synchronise.ts'
import { findEffect, isKnown, runEffect } from '../effects/index.ts'
import { renameEffect, renameEvent } from '../effects/former-names.ts'
import { deliverPush, type PushJob } from './deliver-push.ts'
import { deliverWebhook, type WebhookJob } from './deliver-webhook.ts'
import { fetchAccountPosts, fetchThreadReplies } from './fetch-on-demand.ts'
import { mailNotificationNow } from './mail-notification.ts'
import { refreshAccount, refreshStaleAccounts } from './refresh-accounts.ts'
import type { AccountId, NotificationId, PollId, PreviewCardId, StatusId } from '#lib/id.ts'

/** Jobs by name. Each takes its payload and may run again after a failure. */
export function createTasks(ctx: Ctx): TaskList {
  const tasks = listTasks(ctx)
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, observed(ctx, name, task as Task)]),
  )
}

/** Timed, and in the trace of what added the job, if anything did. */
function observed(ctx: Ctx, name: string, task: Task): Task {
  const labels = { job: name }
  return (payload, helpers) =>
    timed(ctx.meter, 'stonechat_job_duration_seconds', labels, async () =>
      ctx.trace.on ? traced(ctx, name, task)(payload, helpers) : task(payload, helpers),
    )
}

function traced(ctx: Ctx, name: string, task: Task): Task {
  return async (payload, helpers) => {
    const { traceparent: parent = null } = payload as { traceparent?: string }
    const attributes = { 'stonechat.attempt': helpers.job.attempts }
    await ctx.trace.span({ name: `job ${name}`, kind: 'consumer', attributes, parent }, async () =>
      task(payload, helpers),
    )
  }
}

function listTasks(ctx: Ctx): TaskList {
  return {
    ...listMaintenance(ctx),
    'close-polls': async () => void (await closePolls(ctx)),
    'count-days': () => countDays(ctx),
    'count-today': () => countToday(ctx),
    'deliver-webhook': (payload) => deliverWebhook(ctx, payload as WebhookJob),
    'deliver-push': (payload) => deliverPush(ctx, payload as PushJob),
    'deliver-results': (payload) => deliverResults(ctx, (payload as { pollId: PollId }).pollId),
    'fetch-card': (payload) => fetchCard(ctx, (payload as { cardId: PreviewCardId }).cardId),
    'fetch-posts': (payload) => fetchAccountPosts(ctx, (payload as { accountId: AccountId }).accountId),
    'fetch-replies': (payload) => fetchThreadReplies(ctx, (payload as { statusId: StatusId }).statusId),
    'begin-upkeep': (_, { abortSignal }) => continueMaintenance(ctx, { begin: true, signal: abortSignal }),
    'continue-upkeep': (_, { abortSignal }) =>
      continueMaintenance(ctx, { begin: false, signal: abortSignal }),
    'expire-mutes': async () => void (await expireMutes(ctx)),
    'lift-limits': async () => void (await expireLimits(ctx)),
    'mail-notification': (payload) =>
      mailNotificationNow(ctx, (payload as { notificationId: NotificationId }).notificationId),
    'end-greylisting': () => endGreylisting(ctx),
    'publish-announcements': () => publishDueAnnouncements(ctx),
    'publish-scheduled': () => publishScheduled(ctx),
    'refresh-account': (payload) => refreshAccount(ctx, (payload as { accountId: AccountId }).accountId),
    'refresh-poll': (payload) => {
      const { pollId, since } = payload as { pollId: PollId; since: number }
      return ctx.remote.refreshPoll(pollId, { since })
    },
    'refresh-stale-accounts': () => refreshStaleAccounts(ctx),
    'refresh-block-lists': () => refreshDueLists(ctx),
    'refresh-popular': () => refreshPopular(ctx),
    'require-approval': async () => void (await requireApprovalWithoutStaff(ctx)),
    async 'purge-held-posts'() {
      await purgeHeldPosts(ctx)
      await purgeHits(ctx)
    },
    'refresh-trends': () => refreshTrends(ctx),
    'send-digests': () => askForDigests(ctx),
    'synchronise-followers': (payload) => synchroniseFollowers(ctx, payload as Synchronisation),
    'trim-home-feeds': () => trimHomeFeeds(ctx),
    'trim-list-feeds': () => trimListFeeds(ctx),
    effect: async (payload) => {
      const { event: written, effect } = payload as { event: Event; effect: string }
      const event = renameEvent(written)
      const found = isKnown(event) ? findEffect(event, renameEffect(effect)) : undefined
      // Of a newer version, while processes are replaced one by one: it is tried again later.
      if (!found) throw new Error(`This version does not know the effect ${effect} of ${event.type}`)
      await runEffect(ctx, event, found)
    },
  }
}

/** Work that `stonechat retention list` shows. */
function listMaintenance(ctx: Ctx): TaskList {
  const maintenance = (name: string) => async () => void (await runMaintenance(ctx, name))
  return {
    'delete-abandoned-files': maintenance('abandoned-files'),
    'delete-due-accounts': maintenance('suspended-accounts'),
    'delete-stale-users': maintenance('stale-users'),
    'delete-unattached-media': maintenance('unattached-media'),
    'purge-archives': maintenance('archives'),
    'purge-imports': maintenance('imports'),
    'purge-cards': maintenance('cards'),
    'delete-own-statuses': maintenance('own-statuses'),
    'forget-addresses': maintenance('addresses'),
    'purge-deleted-statuses': maintenance('deleted-statuses'),
    'purge-idempotency-keys': maintenance('idempotency-keys'),
    'purge-ip-blocks': maintenance('ip-blocks'),
    'purge-oauth': maintenance('tokens'),
    'purge-tombstones': maintenance('tombstones'),
    'trim-audit-log': maintenance('audit-log'),
    'trim-notifications': maintenance('notifications'),
    'trim-media-cache': maintenance('media-cache'),
  }
}

const minute = 60_000

/** Comes each minute, and once more when the next one of this minute is due. */
async function publishScheduled(ctx: Ctx): Promise<void> {
  await publishDue(ctx)
  const runAt = await findNextDue(ctx, minute)
  if (runAt) await ctx.jobs.add('publish-scheduled', {}, { key: 'publish-scheduled', runAt })
}
