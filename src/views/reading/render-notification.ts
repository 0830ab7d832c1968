import type { ReportRow } from '#domain/trust/moderation/reports/reports.ts'
import type { WarningRow } from '#domain/trust/moderation/warnings.ts'
import type { NotificationRow } from '#domain/reading/notifications/queries.ts'
import type { NotificationGroup } from '#domain/reading/notifications/describe-groups.ts'
import type { SeveranceRow } from '#domain/social/relationships/severances.ts'
import { formatTime } from '#lib/time/time.ts'
import type { AccountJson } from '../identity/accounts.ts'

export type NotificationJson = Record<string, unknown>
/** The keys for what a notification is about. Kinds that are not about a status, a collection and so on lack them. */
export type NotificationSubject = Readonly<Record<string, unknown>>

/** NotificationFallback (https://docs.joinmastodon.org/entities/Notification/#fallback): words for an app that knows none. */
export interface NotificationFallback {
  title: string
  summary: string
  details: string | null
}

export interface NotificationParts {
  row: NotificationRow
  account: AccountJson
  subject: NotificationSubject
  fallback: NotificationFallback | null
}

/** Notification (https://docs.joinmastodon.org/entities/Notification/). `emoji` and `emoji_url` are Pleroma's. */
export function renderNotification({ row, account, subject, fallback }: NotificationParts): NotificationJson {
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
export function renderGroup({ group, subject, fallback, paged }: GroupParts): NotificationJson {
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
export function renderSeverance(row: SeveranceRow) {
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
export function renderWarning(row: WarningRow, target: AccountJson) {
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
export function renderReport(row: ReportRow, target: AccountJson) {
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

/** The keys of an Account that stand for it where only its picture is shown. */
const partialKeys = ['id', 'acct', 'locked', 'bot', 'url', 'avatar', 'avatar_static', 'avatar_description']

/** PartialAccountWithAvatar (https://docs.joinmastodon.org/entities/GroupedNotificationsResults/). */
export function renderPartialAccount(account: AccountJson): AccountJson {
  return Object.fromEntries(partialKeys.map((key) => [key, account[key]]))
}
