import type { Kysely } from 'kysely'
import type {
  SettingsTable,
  SecretsTable,
  RulesTable,
  TermsOfServiceTable,
  CustomEmojisTable,
  DomainBlocksTable,
} from './instance.ts'
import type {
  RolesTable,
  AccountsTable,
  AccountStatsTable,
  UsersTable,
  UserActivityTable,
  ActivityWeeksTable,
  UserTokensTable,
  SessionsTable,
  IdentitiesTable,
} from './accounts.ts'
import type { ApplicationsTable, OauthGrantsTable, OauthTokensTable } from './oauth.ts'
import type {
  FollowsTable,
  FollowRequestsTable,
  BlocksTable,
  MutesTable,
  AccountDomainBlocksTable,
  AccountNotesTable,
  EndorsementsTable,
} from './relationships.ts'
import type {
  TagsTable,
  TagFollowsTable,
  ConversationsTable,
  StatusesTable,
  StatusDomainCountsTable,
  StatusHourlyCountsTable,
  StatusStatsTable,
  MentionsTable,
  StatusTagsTable,
  FavouritesTable,
  BookmarksTable,
  StatusPinsTable,
  ConversationMutesTable,
  IdempotencyKeysTable,
} from './statuses.ts'
import type { HomeEntriesTable, HomeFeedsTable, MarkersTable, NotificationsTable } from './feeds.ts'
import type { OutboxTable } from './outbox.ts'
import type { AbandonedFilesTable, MediaAttachmentsTable } from './media.ts'
import type { PollsTable, PollVotesTable } from './polls.ts'
import type {
  DraftsTable,
  PreviewCardsTable,
  QuotesTable,
  ScheduledStatusesTable,
  StatusEditsTable,
  StatusReactionsTable,
} from './status-parts.ts'
import type {
  AnnualReportsTable,
  CollectionItemsTable,
  CollectionsTable,
  FeaturedTagsTable,
} from './collections.ts'
import type {
  AccountConversationsTable,
  AccountConversationStatusesTable,
  AccountSeverancesTable,
  AccountWarningsTable,
  AnnouncementDismissalsTable,
  AnnouncementReactionsTable,
  AnnouncementReactionCountsTable,
  AnnouncementsTable,
  BackupsTable,
  BulkImportRowsTable,
  BulkImportsTable,
  FilterKeywordsTable,
  FilterStatusesTable,
  FiltersTable,
  ImportedStatusesTable,
  LinkTrendsTable,
  ListAccountsTable,
  ListEntriesTable,
  ListFeedsTable,
  ListsTable,
  NotificationPermissionsTable,
  NotificationPoliciesTable,
  NotificationRequestsTable,
  PopularAccountsTable,
  ReportsTable,
  SeveranceEventsTable,
  SeveredFollowsTable,
  StatusSearchTable,
  StatusTrendsTable,
  SuggestionDismissalsTable,
  TagTrendsTable,
} from './people-and-reach.ts'
import type {
  AccountAliasesTable,
  AccountMigrationsTable,
  DeliveriesTable,
  DomainAllowsTable,
  HostsTable,
  IncomingActivitiesTable,
  OutgoingActivitiesTable,
  RelaysTable,
  RemoteKeysTable,
  SigningKeysTable,
  TombstonesTable,
} from './federation.ts'
import type { SignInsTable, WebPushSubscriptionsTable } from './push-and-mail.ts'

/** Every table by its name. */
import type {
  AuditLogTable,
  WebhookDeliveriesTable,
  WebhooksTable,
  SiteUploadsTable,
  WarningPresetsTable,
  AppealsTable,
  AccountLimitEndsTable,
  HostNotesTable,
  ModerationNotesTable,
  EmailDomainBlocksTable,
  EmailDomainBlockDaysTable,
  IpBlocksTable,
  CanonicalEmailBlocksTable,
  UsernameBlocksTable,
  InvitesTable,
  BlockListSubscriptionsTable,
  BlockListEntriesTable,
  BlockListExclusionsTable,
  PreviewCardProvidersTable,
  SuppressedRecommendationsTable,
  DailyCountsTable,
  ActivityGapsTable,
  RetentionCountsTable,
  HostDailyCountsTable,
  HostTotalsTable,
  TagDailyCountsTable,
  UpkeepRunsTable,
  StatusDeletionPoliciesTable,
  SpamRulesTable,
  HeldPostsTable,
  SpamHitsTable,
  RecoveryCodesTable,
  PasskeysTable,
} from './moderation.ts'

export interface Schema {
  settings: SettingsTable
  secrets: SecretsTable
  rules: RulesTable
  terms_of_service: TermsOfServiceTable
  custom_emojis: CustomEmojisTable
  domain_blocks: DomainBlocksTable
  roles: RolesTable
  accounts: AccountsTable
  account_stats: AccountStatsTable
  users: UsersTable
  user_activity: UserActivityTable
  activity_weeks: ActivityWeeksTable
  user_tokens: UserTokensTable
  sessions: SessionsTable
  identities: IdentitiesTable
  applications: ApplicationsTable
  oauth_grants: OauthGrantsTable
  oauth_tokens: OauthTokensTable
  follows: FollowsTable
  follow_requests: FollowRequestsTable
  blocks: BlocksTable
  mutes: MutesTable
  account_domain_blocks: AccountDomainBlocksTable
  account_notes: AccountNotesTable
  endorsements: EndorsementsTable
  tags: TagsTable
  tag_follows: TagFollowsTable
  conversations: ConversationsTable
  statuses: StatusesTable
  status_stats: StatusStatsTable
  status_hourly_counts: StatusHourlyCountsTable
  status_domain_counts: StatusDomainCountsTable
  mentions: MentionsTable
  status_tags: StatusTagsTable
  favourites: FavouritesTable
  bookmarks: BookmarksTable
  status_pins: StatusPinsTable
  conversation_mutes: ConversationMutesTable
  idempotency_keys: IdempotencyKeysTable
  home_entries: HomeEntriesTable
  home_feeds: HomeFeedsTable
  notifications: NotificationsTable
  markers: MarkersTable
  outbox: OutboxTable
  media_attachments: MediaAttachmentsTable
  abandoned_files: AbandonedFilesTable
  polls: PollsTable
  poll_votes: PollVotesTable
  scheduled_statuses: ScheduledStatusesTable
  drafts: DraftsTable
  status_edits: StatusEditsTable
  quotes: QuotesTable
  preview_cards: PreviewCardsTable
  status_reactions: StatusReactionsTable
  featured_tags: FeaturedTagsTable
  collections: CollectionsTable
  collection_items: CollectionItemsTable
  annual_reports: AnnualReportsTable
  lists: ListsTable
  list_accounts: ListAccountsTable
  list_entries: ListEntriesTable
  list_feeds: ListFeedsTable
  filters: FiltersTable
  filter_keywords: FilterKeywordsTable
  filter_statuses: FilterStatusesTable
  notification_policies: NotificationPoliciesTable
  notification_permissions: NotificationPermissionsTable
  notification_requests: NotificationRequestsTable
  severance_events: SeveranceEventsTable
  account_severances: AccountSeverancesTable
  severed_follows: SeveredFollowsTable
  account_warnings: AccountWarningsTable
  reports: ReportsTable
  account_conversations: AccountConversationsTable
  account_conversation_statuses: AccountConversationStatusesTable
  announcements: AnnouncementsTable
  announcement_dismissals: AnnouncementDismissalsTable
  announcement_reactions: AnnouncementReactionsTable
  announcement_reaction_counts: AnnouncementReactionCountsTable
  suggestion_dismissals: SuggestionDismissalsTable
  tag_trends: TagTrendsTable
  link_trends: LinkTrendsTable
  status_trends: StatusTrendsTable
  status_search: StatusSearchTable
  popular_accounts: PopularAccountsTable
  bulk_imports: BulkImportsTable
  bulk_import_rows: BulkImportRowsTable
  backups: BackupsTable
  imported_statuses: ImportedStatusesTable
  signing_keys: SigningKeysTable
  remote_keys: RemoteKeysTable
  tombstones: TombstonesTable
  hosts: HostsTable
  incoming_activities: IncomingActivitiesTable
  outgoing_activities: OutgoingActivitiesTable
  deliveries: DeliveriesTable
  relays: RelaysTable
  domain_allows: DomainAllowsTable
  account_aliases: AccountAliasesTable
  account_migrations: AccountMigrationsTable
  web_push_subscriptions: WebPushSubscriptionsTable
  sign_ins: SignInsTable
  audit_log: AuditLogTable
  webhook_deliveries: WebhookDeliveriesTable
  webhooks: WebhooksTable
  site_uploads: SiteUploadsTable
  warning_presets: WarningPresetsTable
  appeals: AppealsTable
  account_limit_ends: AccountLimitEndsTable
  moderation_notes: ModerationNotesTable
  host_notes: HostNotesTable
  email_domain_blocks: EmailDomainBlocksTable
  email_domain_block_days: EmailDomainBlockDaysTable
  ip_blocks: IpBlocksTable
  canonical_email_blocks: CanonicalEmailBlocksTable
  username_blocks: UsernameBlocksTable
  invites: InvitesTable
  block_list_subscriptions: BlockListSubscriptionsTable
  block_list_entries: BlockListEntriesTable
  block_list_exclusions: BlockListExclusionsTable
  preview_card_providers: PreviewCardProvidersTable
  suppressed_recommendations: SuppressedRecommendationsTable
  daily_counts: DailyCountsTable
  activity_gaps: ActivityGapsTable
  retention_counts: RetentionCountsTable
  host_daily_counts: HostDailyCountsTable
  host_totals: HostTotalsTable
  tag_daily_counts: TagDailyCountsTable
  upkeep_runs: UpkeepRunsTable
  status_deletion_policies: StatusDeletionPoliciesTable
  spam_rules: SpamRulesTable
  held_posts: HeldPostsTable
  spam_hits: SpamHitsTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
}

/** A handle that can query: the root or one transaction. */
export type Db = Kysely<Schema>
