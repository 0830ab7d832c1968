import type { Generated } from 'kysely'
import type { DefaultJson, DefaultTime, Json, Time } from './types.ts'
import type {
  AccountConversationId,
  AccountId,
  AccountSeveranceId,
  AccountWarningId,
  AnnouncementId,
  AnnouncementReactionId,
  BackupId,
  BigInteger,
  BulkImportId,
  BulkImportRowId,
  CollectionId,
  ConversationId,
  CustomEmojiId,
  FilterId,
  FilterKeywordId,
  FilterStatusId,
  ListAccountId,
  ListId,
  NotificationRequestId,
  PreviewCardId,
  ReportId,
  RuleId,
  SeveranceEventId,
  StatusId,
  TagId,
} from '#lib/id.ts'

export interface ListsTable {
  id: ListId
  account_id: AccountId
  title: string
  replies_policy: Generated<string>
  exclusive: Generated<boolean>
  created_at: DefaultTime
}

export interface ListAccountsTable {
  id: ListAccountId
  list_id: ListId
  account_id: AccountId
  owner_id: AccountId
  created_at: DefaultTime
}

export interface ListEntriesTable {
  list_id: ListId
  status_id: StatusId
  reblog_of_id: StatusId | null
}

export interface ListFeedsTable {
  list_id: ListId
  account_id: AccountId
  built_at: Time | null
}

export interface FiltersTable {
  id: FilterId
  account_id: AccountId
  title: string
  context: string[]
  action: Generated<string>
  expires_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface FilterKeywordsTable {
  id: FilterKeywordId
  filter_id: FilterId
  keyword: string
  whole_word: Generated<boolean>
  created_at: DefaultTime
}

export interface FilterStatusesTable {
  id: FilterStatusId
  filter_id: FilterId
  status_id: StatusId
  created_at: DefaultTime
}

export interface NotificationPoliciesTable {
  account_id: AccountId
  for_not_following: Generated<string>
  for_not_followers: Generated<string>
  for_new_accounts: Generated<string>
  for_private_mentions: Generated<string>
  for_limited_accounts: Generated<string>
  for_bots: Generated<string>
}

export interface NotificationPermissionsTable {
  account_id: AccountId
  from_account_id: AccountId
  created_at: DefaultTime
}

export interface NotificationRequestsTable {
  id: NotificationRequestId
  account_id: AccountId
  from_account_id: AccountId
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface SeveranceEventsTable {
  id: SeveranceEventId
  type: string
  target_name: string
  purged: Generated<boolean>
  created_at: DefaultTime
}

export interface AccountSeverancesTable {
  id: AccountSeveranceId
  account_id: AccountId
  event_id: SeveranceEventId
  followers_count: Generated<number>
  following_count: Generated<number>
  created_at: DefaultTime
}

export interface SeveredFollowsTable {
  severance_id: AccountSeveranceId
  account_id: AccountId
  direction: string
  show_reblogs: boolean
  notify: boolean
  languages: string[] | null
}

export interface AccountWarningsTable {
  id: AccountWarningId
  account_id: AccountId | null
  target_account_id: AccountId
  report_id: ReportId | null
  action: string
  text: Generated<string>
  status_ids: Generated<StatusId[]>
  overruled_at: Time | null
  created_at: DefaultTime
}

export interface ReportsTable {
  id: ReportId
  account_id: AccountId | null
  target_account_id: AccountId
  category: Generated<string>
  comment: Generated<string>
  status_ids: Generated<StatusId[]>
  rule_ids: Generated<RuleId[]>
  collection_ids: Generated<CollectionId[]>
  forwarded: Generated<boolean>
  forwarded_to: Generated<string[]>
  assigned_account_id: AccountId | null
  action_taken_by_account_id: AccountId | null
  action_taken_at: Time | null
  uri: string | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface AccountConversationsTable {
  id: AccountConversationId
  account_id: AccountId
  conversation_id: ConversationId
  participant_ids: Generated<AccountId[]>
  last_status_id: StatusId
  unread: Generated<boolean>
  version: Generated<number>
  created_at: DefaultTime
}

export interface AccountConversationStatusesTable {
  account_conversation_id: AccountConversationId
  status_id: StatusId
}

export interface AnnouncementsTable {
  id: AnnouncementId
  text: string
  content: Generated<string>
  starts_at: Time | null
  ends_at: Time | null
  all_day: Generated<boolean>
  scheduled_at: Time | null
  published_at: Time | null
  unpublished_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface AnnouncementDismissalsTable {
  announcement_id: AnnouncementId
  account_id: AccountId
  created_at: DefaultTime
}

export interface AnnouncementReactionsTable {
  id: AnnouncementReactionId
  announcement_id: AnnouncementId
  account_id: AccountId
  name: string
  custom_emoji_id: CustomEmojiId | null
  created_at: DefaultTime
}

export interface AnnouncementReactionCountsTable {
  announcement_id: AnnouncementId
  name: string
  custom_emoji_id: CustomEmojiId | null
  count: number
  first_id: AnnouncementReactionId
}

export interface SuggestionDismissalsTable {
  account_id: AccountId
  target_account_id: AccountId
  created_at: DefaultTime
}

export interface TagTrendsTable {
  tag_id: TagId
  score: number
  peak: number
  peak_at: Time
  language: string | null
  updated_at: Time
}

export interface LinkTrendsTable {
  card_id: PreviewCardId
  score: number
  peak: number
  peak_at: Time
  language: string | null
  updated_at: Time
}

export interface StatusTrendsTable {
  status_id: StatusId
  account_id: AccountId
  score: number
  language: string | null
  updated_at: Time
}

export interface PopularAccountsTable {
  account_id: AccountId
  followers: number
  fans: number
  updated_at: Time
}

/** What an archive has: posts with the times of the first and last, boosts, and what is neither or cannot be read. */
export interface ArchiveContents {
  posts: number
  boosts: number
  others: number
  from: string | null
  to: string | null
}

export interface BulkImportsTable {
  id: BulkImportId
  account_id: AccountId
  type: string
  overwrite: Generated<boolean>
  state: Generated<string>
  original_filename: Generated<string>
  upload_key: string | null
  total_items: Generated<number>
  processed_items: Generated<number>
  imported_items: Generated<number>
  /** Counts by reason. */
  skipped: DefaultJson<Record<string, number>>
  /** Of an archive that was looked at before its import. */
  contents: Json<ArchiveContents> | null
  error: string | null
  created_at: DefaultTime
  finished_at: Time | null
}

export interface BulkImportRowsTable {
  id: BulkImportRowId
  bulk_import_id: BulkImportId
  line: number
  data: Json
  attempts: Generated<number>
  error: string | null
}

export interface BackupsTable {
  id: BackupId
  account_id: AccountId
  state: Generated<string>
  attempts: Generated<number>
  file_key: string | null
  bytes: Generated<BigInteger>
  processed_items: Generated<number>
  total_items: Generated<number>
  expires_at: Time | null
  created_at: DefaultTime
  finished_at: Time | null
}

export interface ImportedStatusesTable {
  account_id: AccountId
  uri_hash: Buffer
  status_id: StatusId
}

export interface StatusSearchTable {
  status_id: StatusId
  account_id: AccountId
  version: number
  format: number
  open: boolean | null
  /** A tsvector as text. */
  document: string
}
