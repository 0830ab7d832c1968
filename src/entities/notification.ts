import { z } from 'zod'
import { Account, PartialAccountWithAvatar } from './account.ts'
import { Collection } from './collection.ts'
import {
  count,
  entity,
  flag,
  id,
  idOrNull,
  ids,
  mark,
  numeral,
  text,
  textOrNull,
  time,
  urlOrNull,
  type Json,
  type Schema,
} from './entity.ts'
import { RelationshipSeveranceEvent } from './relationship.ts'
import { AccountWarning, Report } from './report.ts'
import { Status } from './status.ts'

const type = z.enum([
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'quote',
  'quoted_update',
  'admin.sign_up',
  'admin.report',
  'severed_relationships',
  'moderation_warning',
  'annual_report',
  'added_to_collection',
  'collection_update',
  'pleroma:emoji_reaction',
])

/** https://docs.joinmastodon.org/entities/Notification/#fallback: words for an app that does not know the kind. */
const notificationFallback = entity('NotificationFallback', {
  title: text,
  summary: text,
  details: textOrNull,
})
export interface NotificationFallback extends Json<typeof notificationFallback> {}
export const NotificationFallback: Schema<NotificationFallback> = notificationFallback

/** What a notification is about: kinds that are not about a collection and so on lack the key. */
const subjects = {
  collection: Collection.optional(),
  /** Pleroma's, as the next one. */
  emoji: text.optional(),
  emoji_url: urlOrNull.optional(),
  annual_report: z.strictObject({ year: numeral }).optional(),
  event: RelationshipSeveranceEvent.optional(),
  moderation_warning: AccountWarning.optional(),
  report: Report.optional(),
}

/** https://docs.joinmastodon.org/entities/Notification/ */
const notification = entity('Notification', {
  id,
  type,
  created_at: time,
  group_key: text,
  filtered: mark,
  account: Account,
  status: Status.optional(),
  ...subjects,
  fallback: NotificationFallback.optional(),
})
export interface Notification extends Json<typeof notification> {}
export const Notification: Schema<Notification> = notification

/** https://docs.joinmastodon.org/entities/GroupedNotificationsResults/#NotificationGroup: all ids are texts. */
const notificationGroup = entity('NotificationGroup', {
  group_key: text,
  notifications_count: count,
  type,
  most_recent_notification_id: id,
  /** On a page, what of the group is on it. */
  page_min_id: idOrNull.optional(),
  page_max_id: idOrNull.optional(),
  latest_page_notification_at: time.optional(),
  filtered: mark,
  sample_account_ids: ids,
  status_id: id.optional(),
  ...subjects,
  fallback: NotificationFallback.optional(),
})
export interface NotificationGroup extends Json<typeof notificationGroup> {}
export const NotificationGroup: Schema<NotificationGroup> = notificationGroup

/** https://docs.joinmastodon.org/entities/GroupedNotificationsResults/ */
const groupedNotificationsResults = entity('GroupedNotificationsResults', {
  accounts: z.array(Account),
  partial_accounts: z.array(PartialAccountWithAvatar).optional(),
  statuses: z.array(Status),
  notification_groups: z.array(NotificationGroup),
})
export interface GroupedNotificationsResults extends Json<typeof groupedNotificationsResults> {}
export const GroupedNotificationsResults: Schema<GroupedNotificationsResults> = groupedNotificationsResults

/** https://docs.joinmastodon.org/methods/notifications/#unread-count */
const unreadCount = entity('UnreadCount', { count })
export interface UnreadCount extends Json<typeof unreadCount> {}
export const UnreadCount: Schema<UnreadCount> = unreadCount

const pending = z.strictObject({ pending_requests_count: count, pending_notifications_count: count })
const choice = z.enum(['accept', 'filter', 'drop'])

/** https://docs.joinmastodon.org/entities/NotificationPolicy/ */
const notificationPolicy = entity('NotificationPolicy', {
  for_not_following: choice,
  for_not_followers: choice,
  for_new_accounts: choice,
  for_private_mentions: choice,
  for_limited_accounts: choice,
  for_bots: choice,
  summary: pending,
})
export interface NotificationPolicy extends Json<typeof notificationPolicy> {}
export const NotificationPolicy: Schema<NotificationPolicy> = notificationPolicy

/** https://docs.joinmastodon.org/entities/V1_NotificationPolicy/ */
const notificationPolicyV1 = entity('NotificationPolicyV1', {
  filter_not_following: flag,
  filter_not_followers: flag,
  filter_new_accounts: flag,
  filter_private_mentions: flag,
  filter_bots: flag,
  summary: pending,
})
export interface NotificationPolicyV1 extends Json<typeof notificationPolicyV1> {}
export const NotificationPolicyV1: Schema<NotificationPolicyV1> = notificationPolicyV1

/** https://docs.joinmastodon.org/entities/NotificationRequest/ */
const notificationRequest = entity('NotificationRequest', {
  id,
  created_at: time,
  updated_at: time,
  notifications_count: numeral,
  account: Account,
  last_status: Status.nullable(),
})
export interface NotificationRequest extends Json<typeof notificationRequest> {}
export const NotificationRequest: Schema<NotificationRequest> = notificationRequest

/** https://docs.joinmastodon.org/methods/notifications/#requests-merged */
const mergedRequests = entity('MergedRequests', { merged: flag })
export interface MergedRequests extends Json<typeof mergedRequests> {}
export const MergedRequests: Schema<MergedRequests> = mergedRequests
