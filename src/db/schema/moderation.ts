// Tables of moderation, administration and sign-in with a second factor (migration 0006).
import type { Generated } from 'kysely'
import type { DayColumn, DefaultJson, DefaultTime, Id, Json, Time } from './types.ts'

export interface AuditLogTable {
  id: Id
  account_id: Id | null
  actor: Generated<string>
  action: string
  target_type: string
  target_id: Id | null
  target_label: Generated<string>
  details: DefaultJson
  created_at: DefaultTime
}

export interface WebhooksTable {
  id: Id
  url: string
  events: Generated<string[]>
  secret: string
  enabled: Generated<boolean>
  last_status: number | null
  last_error: string | null
  last_tried_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface SiteUploadsTable {
  name: string
  file_key: string
  bytes: Generated<Id>
  width: number | null
  height: number | null
  blurhash: string | null
  versions: DefaultJson
  updated_at: DefaultTime
}

export interface WarningPresetsTable {
  id: Id
  title: Generated<string>
  text: string
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface AppealsTable {
  id: Id
  warning_id: Id
  account_id: Id
  text: string
  approved_at: Time | null
  rejected_at: Time | null
  decided_by_account_id: Id | null
  created_at: DefaultTime
}

export interface AccountLimitEndsTable {
  account_id: Id
  limit_kind: string
  ends_at: Time
}

export interface ModerationNotesTable {
  id: Id
  account_id: Id | null
  report_id: Id | null
  target_account_id: Id | null
  text: string
  created_at: DefaultTime
}

export interface EmailDomainBlocksTable {
  id: Id
  domain: string
  allow_with_approval: Generated<boolean>
  parent_id: Id | null
  created_at: DefaultTime
}

export interface EmailDomainBlockDaysTable {
  block_id: Id
  day: DayColumn
  uses: Generated<number>
  accounts: Generated<number>
}

export interface IpBlocksTable {
  id: Id
  ip: string
  severity: string
  comment: Generated<string>
  expires_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface CanonicalEmailBlocksTable {
  id: Id
  canonical_email_hash: string
  reference_account_id: Id | null
  created_at: DefaultTime
}

export interface UsernameBlocksTable {
  id: Id
  username: string
  normalized_username: string
  exact: Generated<boolean>
  allow_with_approval: Generated<boolean>
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface InvitesTable {
  id: Id
  account_id: Id
  code: string
  max_uses: number | null
  uses: Generated<number>
  expires_at: Time | null
  autofollow: Generated<boolean>
  comment: Generated<string>
  created_at: DefaultTime
}

export interface BlockListSubscriptionsTable {
  id: Id
  title: Generated<string>
  url: string
  most_severity: Generated<string>
  applied: Generated<boolean>
  retract: Generated<boolean>
  fetched_at: Time | null
  tried_at: Time | null
  etag: string | null
  error: string | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface BlockListEntriesTable {
  subscription_id: Id
  domain: string
  severity: string
  reject_media: Generated<boolean>
  reject_reports: Generated<boolean>
  obfuscate: Generated<boolean>
  public_comment: Generated<string>
}

export interface BlockListExclusionsTable {
  domain: string
  comment: Generated<string>
  created_at: DefaultTime
}

export interface PreviewCardProvidersTable {
  id: Id
  domain: string
  trendable: boolean | null
  reviewed_at: Time | null
  requested_review_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface SuppressedRecommendationsTable {
  account_id: Id
  created_at: DefaultTime
}

export interface DailyCountsTable {
  day: DayColumn
  name: string
  count: Generated<Id>
}

export interface ActivityGapsTable {
  day: DayColumn
  gap: number
  users: number
}

export interface RetentionCountsTable {
  cohort: DayColumn
  day: DayColumn
  users: number
  first_in_month: number
}

export interface HostTotalsTable {
  host: string
  accounts: Generated<Id>
  statuses: Generated<Id>
  media_attachments: Generated<Id>
  reports: Generated<Id>
  follows: Generated<Id>
  followers: Generated<Id>
  top_accounts: DefaultJson<{ username: string; followers: number }[]>
  day: DayColumn
}

export interface HostDailyCountsTable {
  host: string
  name: string
  day: DayColumn
  count: Generated<Id>
}

export interface TagDailyCountsTable {
  tag_id: Id
  name: string
  day: DayColumn
  count: Generated<Id>
}

export interface UpkeepRunsTable {
  name: string
  state: Generated<string>
  cursor: DefaultJson
  examined: Generated<Id>
  removed: Generated<Id>
  expected: Id | null
  error: string | null
  started_at: Time | null
  updated_at: Time | null
  finished_at: Time | null
  leased_until: Time | null
}

export interface StatusDeletionPoliciesTable {
  account_id: Id
  enabled: Generated<boolean>
  min_status_age: Generated<number>
  keep_direct: Generated<boolean>
  keep_pinned: Generated<boolean>
  keep_polls: Generated<boolean>
  keep_media: Generated<boolean>
  keep_self_favourite: Generated<boolean>
  keep_self_bookmark: Generated<boolean>
  min_favourites: number | null
  min_reblogs: number | null
  examined_up_to: Id | null
  examined_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface SpamRulesTable {
  id: Id
  name: string
  enabled: Generated<boolean>
  conditions: Json
  action: string
  hits: Generated<Id>
  last_hit_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface HeldPostsTable {
  id: Id
  account_id: Id
  rule_id: Id | null
  params: Json
  application_id: Id | null
  uri: string | null
  content: Generated<string>
  released_at: Time | null
  created_at: DefaultTime
}

export interface SpamHitsTable {
  id: Id
  rule_id: Id | null
  account_id: Id
  status_id: Id | null
  report_id: Id | null
  warning_id: Id | null
  held_post_id: Id | null
  uri: string | null
  action: string
  decisive: boolean
  counted: Generated<boolean>
  undone_at: Time | null
  created_at: DefaultTime
}

export interface RecoveryCodesTable {
  id: Id
  user_id: Id
  code_hash: Buffer
  used_at: Time | null
  created_at: DefaultTime
}

export interface PasskeysTable {
  id: Id
  user_id: Id
  credential_id: Buffer
  public_key: Buffer
  sign_count: Generated<Id>
  transports: Generated<string[]>
  nickname: string
  created_at: DefaultTime
  last_used_at: Time | null
}
