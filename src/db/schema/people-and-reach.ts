import type { Generated } from 'kysely'
import type { DefaultJson, DefaultTime, Id, Json, Time } from './types.ts'

export interface ListsTable {
  id: Id
  account_id: Id
  title: string
  replies_policy: Generated<string>
  exclusive: Generated<boolean>
  created_at: DefaultTime
}

export interface ListAccountsTable {
  id: Id
  list_id: Id
  account_id: Id
  owner_id: Id
  created_at: DefaultTime
}

export interface ListEntriesTable {
  list_id: Id
  status_id: Id
  reblog_of_id: Id | null
}

export interface ListFeedsTable {
  list_id: Id
  account_id: Id
  built_at: Time | null
}

export interface FiltersTable {
  id: Id
  account_id: Id
  title: string
  context: string[]
  action: Generated<string>
  expires_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface FilterKeywordsTable {
  id: Id
  filter_id: Id
  keyword: string
  whole_word: Generated<boolean>
  created_at: DefaultTime
}

export interface FilterStatusesTable {
  id: Id
  filter_id: Id
  status_id: Id
  created_at: DefaultTime
}

export interface NotificationPoliciesTable {
  account_id: Id
  for_not_following: Generated<string>
  for_not_followers: Generated<string>
  for_new_accounts: Generated<string>
  for_private_mentions: Generated<string>
  for_limited_accounts: Generated<string>
  for_bots: Generated<string>
}

export interface NotificationPermissionsTable {
  account_id: Id
  from_account_id: Id
  created_at: DefaultTime
}

export interface NotificationRequestsTable {
  id: Id
  account_id: Id
  from_account_id: Id
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface SeveranceEventsTable {
  id: Id
  type: string
  target_name: string
  purged: Generated<boolean>
  created_at: DefaultTime
}

export interface AccountSeverancesTable {
  id: Id
  account_id: Id
  event_id: Id
  followers_count: Generated<number>
  following_count: Generated<number>
  created_at: DefaultTime
}

export interface AccountWarningsTable {
  id: Id
  account_id: Id | null
  target_account_id: Id
  report_id: Id | null
  action: string
  text: Generated<string>
  status_ids: Generated<Id[]>
  overruled_at: Time | null
  created_at: DefaultTime
}

export interface ReportsTable {
  id: Id
  account_id: Id | null
  target_account_id: Id
  category: Generated<string>
  comment: Generated<string>
  status_ids: Generated<Id[]>
  rule_ids: Generated<Id[]>
  collection_ids: Generated<Id[]>
  forwarded: Generated<boolean>
  forwarded_to: Generated<string[]>
  assigned_account_id: Id | null
  action_taken_by_account_id: Id | null
  action_taken_at: Time | null
  uri: string | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface AccountConversationsTable {
  id: Id
  account_id: Id
  conversation_id: Id
  participant_ids: Generated<Id[]>
  last_status_id: Id
  unread: Generated<boolean>
  version: Generated<number>
  created_at: DefaultTime
}

export interface AccountConversationStatusesTable {
  account_conversation_id: Id
  status_id: Id
}

export interface AnnouncementsTable {
  id: Id
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
  announcement_id: Id
  account_id: Id
  created_at: DefaultTime
}

export interface AnnouncementReactionsTable {
  id: Id
  announcement_id: Id
  account_id: Id
  name: string
  custom_emoji_id: Id | null
  created_at: DefaultTime
}

export interface AnnouncementReactionCountsTable {
  announcement_id: Id
  name: string
  custom_emoji_id: Id | null
  count: number
  first_id: Id
}

export interface SuggestionDismissalsTable {
  account_id: Id
  target_account_id: Id
  created_at: DefaultTime
}

export interface TagTrendsTable {
  tag_id: Id
  score: number
  peak: number
  peak_at: Time
  language: string | null
  updated_at: Time
}

export interface LinkTrendsTable {
  card_id: Id
  score: number
  peak: number
  peak_at: Time
  language: string | null
  updated_at: Time
}

export interface StatusTrendsTable {
  status_id: Id
  account_id: Id
  score: number
  language: string | null
  updated_at: Time
}

export interface PopularAccountsTable {
  account_id: Id
  followers: number
  fans: number
  updated_at: Time
}

export interface BulkImportsTable {
  id: Id
  account_id: Id
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
  error: string | null
  created_at: DefaultTime
  finished_at: Time | null
}

export interface BulkImportRowsTable {
  id: Id
  bulk_import_id: Id
  line: number
  data: Json
  attempts: Generated<number>
  error: string | null
}

export interface BackupsTable {
  id: Id
  account_id: Id
  state: Generated<string>
  attempts: Generated<number>
  file_key: string | null
  bytes: Generated<Id>
  expires_at: Time | null
  created_at: DefaultTime
  finished_at: Time | null
}

export interface ImportedStatusesTable {
  account_id: Id
  uri_hash: Buffer
  status_id: Id
}

export interface StatusSearchTable {
  status_id: Id
  account_id: Id
  version: number
  format: number
  open: boolean | null
  /** A tsvector as text. */
  document: string
}
