import type { RelationshipSeveranceEvent } from '#entities/relationship.ts'
import type { AccountWarning, Report } from '#entities/report.ts'
import type { Account, PartialAccountWithAvatar } from '#entities/account.ts'
import type {
  Notification,
  NotificationFallback,
  NotificationGroup as NotificationGroupJson,
} from '#entities/notification.ts'
import type { ReportRow } from '#domain/trust/moderation/reports/reports.ts'
import type { WarningRow } from '#domain/trust/moderation/warnings.ts'
import type { NotificationRow } from '#domain/reading/notifications/queries.ts'
import type { NotificationGroup } from '#domain/reading/notifications/describe-groups.ts'
import type { SeveranceRow } from '#domain/social/relationships/severances.ts'
import { formatTime } from '#lib/time/time.ts'

/** The keys for what a notification is about. Kinds that are not about a status, a collection and so on lack them. */
export type NotificationSubject = Pick<
  Notification,
  | 'status'
  | 'collection'
  | 'emoji'
  | 'emoji_url'
  | 'annual_report'
  | 'event'
  | 'moderation_warning'
  | 'report'
>

export interface NotificationParts {
  row: NotificationRow
  account: Account
  subject: NotificationSubject
  fallback: NotificationFallback | null
}

/** Notification (https://docs.joinmastodon.org/entities/Notification/). `emoji` and `emoji_url` are Pleroma's. */
export function renderNotification({ row, account, subject, fallback }: NotificationParts): Notification {
  return {
    id: row.id,
    type: row.type,
    created_at: formatTime(row.created_at),
    group_key: row.group_key,
    ...(row.filtered && { filtered: true }),
    account,
    ...subject,
    ...(fallback && { fallback }),
  }
}

export interface GroupParts {
  group: NotificationGroup
  subject: NotificationSubject
  fallback: NotificationFallback | null
  /** Whether it stands on a page, so that it says what of it is there. */
  paged: boolean
}

/**
 * NotificationGroup (https://docs.joinmastodon.org/entities/GroupedNotificationsResults/#NotificationGroup). All ids
 * are strings, also the one that Mastodon sends as a number.
 */
export function renderGroup({ group, subject, fallback, paged }: GroupParts): NotificationGroupJson {
  const { status: _, ...others } = subject
  return {
    group_key: group.key,
    notifications_count: group.count,
    type: group.row.type,
    most_recent_notification_id: group.mostRecentId,
    ...(paged && {
      page_min_id: group.page.minId,
      page_max_id: group.page.maxId,
      latest_page_notification_at: formatTime(group.page.latestAt),
    }),
    ...(group.row.filtered && { filtered: true }),
    sample_account_ids: group.sampleAccountIds,
    ...(group.row.status_id !== null && { status_id: group.row.status_id }),
    ...others,
    ...(fallback && { fallback }),
  }
}

/** RelationshipSeveranceEvent (https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/). */
export function renderSeverance(row: SeveranceRow): RelationshipSeveranceEvent {
  return {
    id: row.id,
    type: row.type,
    purged: row.purged,
    target_name: row.target_name,
    followers_count: row.followers_count,
    following_count: row.following_count,
    created_at: formatTime(row.created_at),
  }
}

/** AccountWarning (https://docs.joinmastodon.org/entities/AccountWarning/). */
export function renderWarning(row: WarningRow, target: Account): AccountWarning {
  return {
    id: row.id,
    action: row.action,
    text: row.text,
    status_ids: row.status_ids,
    target_account: target,
    appeal: row.appeal,
    created_at: formatTime(row.created_at),
  }
}

/** Report (https://docs.joinmastodon.org/entities/Report/). */
export function renderReport(row: ReportRow, target: Account): Report {
  return {
    id: row.id,
    action_taken: row.action_taken_at !== null,
    action_taken_at: row.action_taken_at && formatTime(row.action_taken_at),
    category: row.category,
    comment: row.comment,
    forwarded: row.forwarded,
    created_at: formatTime(row.created_at),
    status_ids: row.status_ids,
    rule_ids: row.rule_ids,
    collection_ids: row.collection_ids,
    target_account: target,
  }
}

/**
 * PartialAccountWithAvatar (https://docs.joinmastodon.org/entities/GroupedNotificationsResults/): what stands for an
 * account where only its picture is shown.
 */
export function renderPartialAccount(account: Account): PartialAccountWithAvatar {
  return {
    id: account.id,
    acct: account.acct,
    locked: account.locked,
    bot: account.bot,
    url: account.url,
    avatar: account.avatar,
    avatar_static: account.avatar_static,
    avatar_description: account.avatar_description,
  }
}
