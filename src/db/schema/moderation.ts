// Tables of moderation, administration and sign-in with a second factor (migration 0006).
import type { Generated } from 'kysely'
import type { DayColumn, DefaultJson, DefaultTime, Json, Time } from './types.ts'
import type {
  AccountId,
  AccountWarningId,
  AnyId,
  AppealId,
  ApplicationId,
  AuditLogEntryId,
  BigInteger,
  BlockListSubscriptionId,
  CanonicalEmailBlockId,
  EmailDomainBlockId,
  HeldPostId,
  IdCursor,
  InviteId,
  IpBlockId,
  HostNoteId,
  ModerationNoteId,
  PasskeyId,
  PreviewCardProviderId,
  RecoveryCodeId,
  ReportId,
  SpamHitId,
  SpamRuleId,
  StatusId,
  TagId,
  UserId,
  UsernameBlockId,
  WarningPresetId,
  WebhookDeliveryId,
  WebhookId,
} from '#lib/id.ts'

export interface AuditLogTable {
  id: AuditLogEntryId
  account_id: AccountId | null
  actor: Generated<string>
  action: string
  target_type: string
  target_id: AnyId | null
  target_label: Generated<string>
  details: DefaultJson
  created_at: DefaultTime
}

export interface WebhooksTable {
  id: WebhookId
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

export interface WebhookDeliveriesTable {
  id: WebhookDeliveryId
  webhook_id: WebhookId
  event: string
  status: number | null
  error: string | null
  created_at: DefaultTime
}

export interface SiteUploadsTable {
  name: string
  file_key: string
  bytes: Generated<BigInteger>
  width: number | null
  height: number | null
  blurhash: string | null
  versions: DefaultJson
  updated_at: DefaultTime
}

export interface WarningPresetsTable {
  id: WarningPresetId
  title: Generated<string>
  text: string
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface AppealsTable {
  id: AppealId
  warning_id: AccountWarningId
  account_id: AccountId
  text: string
  approved_at: Time | null
  rejected_at: Time | null
  decided_by_account_id: AccountId | null
  created_at: DefaultTime
}

export interface AccountLimitEndsTable {
  account_id: AccountId
  limit_kind: string
  ends_at: Time
}

export interface ModerationNotesTable {
  id: ModerationNoteId
  account_id: AccountId | null
  report_id: ReportId | null
  target_account_id: AccountId | null
  text: string
  created_at: DefaultTime
}

export interface HostNotesTable {
  id: HostNoteId
  account_id: AccountId | null
  domain: string
  text: string
  created_at: DefaultTime
}

export interface EmailDomainBlocksTable {
  id: EmailDomainBlockId
  domain: string
  allow_with_approval: Generated<boolean>
  parent_id: EmailDomainBlockId | null
  created_at: DefaultTime
}

export interface EmailDomainBlockDaysTable {
  block_id: EmailDomainBlockId
  day: DayColumn
  uses: Generated<number>
  accounts: Generated<number>
}

export interface IpBlocksTable {
  id: IpBlockId
  ip: string
  severity: string
  comment: Generated<string>
  expires_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface CanonicalEmailBlocksTable {
  id: CanonicalEmailBlockId
  canonical_email_hash: string
  reference_account_id: AccountId | null
  created_at: DefaultTime
}

export interface UsernameBlocksTable {
  id: UsernameBlockId
  username: string
  normalized_username: string
  exact: Generated<boolean>
  allow_with_approval: Generated<boolean>
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface InvitesTable {
  id: InviteId
  account_id: AccountId
  code: string
  max_uses: number | null
  uses: Generated<number>
  expires_at: Time | null
  autofollow: Generated<boolean>
  comment: Generated<string>
  created_at: DefaultTime
}

export interface BlockListSubscriptionsTable {
  id: BlockListSubscriptionId
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
  subscription_id: BlockListSubscriptionId
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
  id: PreviewCardProviderId
  domain: string
  trendable: boolean | null
  reviewed_at: Time | null
  requested_review_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface SuppressedRecommendationsTable {
  account_id: AccountId
  created_at: DefaultTime
}

export interface DailyCountsTable {
  day: DayColumn
  name: string
  count: Generated<BigInteger>
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
  accounts: Generated<BigInteger>
  statuses: Generated<BigInteger>
  media_attachments: Generated<BigInteger>
  reports: Generated<BigInteger>
  follows: Generated<BigInteger>
  followers: Generated<BigInteger>
  top_accounts: DefaultJson<{ username: string; followers: number }[]>
  day: DayColumn
}

export interface HostDailyCountsTable {
  host: string
  name: string
  day: DayColumn
  count: Generated<BigInteger>
}

export interface TagDailyCountsTable {
  tag_id: TagId
  name: string
  day: DayColumn
  count: Generated<BigInteger>
}

export interface UpkeepRunsTable {
  name: string
  state: Generated<string>
  cursor: DefaultJson
  examined: Generated<BigInteger>
  removed: Generated<BigInteger>
  expected: BigInteger | null
  error: string | null
  started_at: Time | null
  updated_at: Time | null
  finished_at: Time | null
  leased_until: Time | null
}

export interface StatusDeletionPoliciesTable {
  account_id: AccountId
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
  examined_up_to: IdCursor | null
  examined_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface SpamRulesTable {
  id: SpamRuleId
  name: string
  enabled: Generated<boolean>
  conditions: Json
  action: string
  hits: Generated<BigInteger>
  last_hit_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface HeldPostsTable {
  id: HeldPostId
  account_id: AccountId
  rule_id: SpamRuleId | null
  params: Json
  application_id: ApplicationId | null
  uri: string | null
  content: Generated<string>
  released_at: Time | null
  created_at: DefaultTime
}

export interface SpamHitsTable {
  id: SpamHitId
  rule_id: SpamRuleId | null
  account_id: AccountId
  status_id: StatusId | null
  report_id: ReportId | null
  warning_id: AccountWarningId | null
  held_post_id: HeldPostId | null
  uri: string | null
  action: string
  decisive: boolean
  counted: Generated<boolean>
  undone_at: Time | null
  created_at: DefaultTime
}

export interface RecoveryCodesTable {
  id: RecoveryCodeId
  user_id: UserId
  code_hash: Buffer
  used_at: Time | null
  created_at: DefaultTime
}

export interface PasskeysTable {
  id: PasskeyId
  user_id: UserId
  credential_id: Buffer
  public_key: Buffer
  sign_count: Generated<BigInteger>
  transports: Generated<string[]>
  nickname: string
  created_at: DefaultTime
  last_used_at: Time | null
}
