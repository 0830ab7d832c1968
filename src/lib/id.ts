declare const table: unique symbol

/** The id of a row of a table: a 64-bit number as decimal text; bigint in SQL. Of which table, the compiler alone knows. */
type IdOf<Table extends string> = string & { readonly [table]: Table }

/** The id of a row of some table. */
export type AnyId = IdOf<string>

export type AccountAliasId = IdOf<'account_aliases'>
export type AccountConversationId = IdOf<'account_conversations'>
export type AccountDomainBlockId = IdOf<'account_domain_blocks'>
export type AccountId = IdOf<'accounts'>
export type AccountMigrationId = IdOf<'account_migrations'>
export type AccountSeveranceId = IdOf<'account_severances'>
export type AccountWarningId = IdOf<'account_warnings'>
export type AnnouncementId = IdOf<'announcements'>
export type AnnouncementReactionId = IdOf<'announcement_reactions'>
export type AnnualReportId = IdOf<'annual_reports'>
export type AppealId = IdOf<'appeals'>
export type ApplicationId = IdOf<'applications'>
export type AuditLogEntryId = IdOf<'audit_log'>
export type BackupId = IdOf<'backups'>
export type BlockId = IdOf<'blocks'>
export type BlockListSubscriptionId = IdOf<'block_list_subscriptions'>
export type BookmarkId = IdOf<'bookmarks'>
export type BulkImportId = IdOf<'bulk_imports'>
export type BulkImportRowId = IdOf<'bulk_import_rows'>
export type CanonicalEmailBlockId = IdOf<'canonical_email_blocks'>
export type CollectionId = IdOf<'collections'>
export type CollectionItemId = IdOf<'collection_items'>
export type ConversationId = IdOf<'conversations'>
export type CustomEmojiId = IdOf<'custom_emojis'>
export type DeliveryId = IdOf<'deliveries'>
export type DomainAllowId = IdOf<'domain_allows'>
export type DomainBlockId = IdOf<'domain_blocks'>
export type DraftId = IdOf<'drafts'>
export type EmailDomainBlockId = IdOf<'email_domain_blocks'>
export type EndorsementId = IdOf<'endorsements'>
export type FavouriteId = IdOf<'favourites'>
export type FeaturedTagId = IdOf<'featured_tags'>
export type FilterId = IdOf<'filters'>
export type FilterKeywordId = IdOf<'filter_keywords'>
export type FilterStatusId = IdOf<'filter_statuses'>
export type FollowId = IdOf<'follows'>
export type FollowRequestId = IdOf<'follow_requests'>
export type HeldPostId = IdOf<'held_posts'>
export type HostNoteId = IdOf<'host_notes'>
export type IdentityId = IdOf<'identities'>
export type IncomingActivityId = IdOf<'incoming_activities'>
export type InviteId = IdOf<'invites'>
export type IpBlockId = IdOf<'ip_blocks'>
export type ListAccountId = IdOf<'list_accounts'>
export type ListId = IdOf<'lists'>
export type MediaId = IdOf<'media_attachments'>
export type ModerationNoteId = IdOf<'moderation_notes'>
export type MuteId = IdOf<'mutes'>
export type NotificationId = IdOf<'notifications'>
export type NotificationRequestId = IdOf<'notification_requests'>
export type OauthGrantId = IdOf<'oauth_grants'>
export type OauthTokenId = IdOf<'oauth_tokens'>
export type OutboxEntryId = IdOf<'outbox'>
export type OutgoingActivityId = IdOf<'outgoing_activities'>
export type PasskeyId = IdOf<'passkeys'>
export type PollId = IdOf<'polls'>
export type PreviewCardId = IdOf<'preview_cards'>
export type PreviewCardProviderId = IdOf<'preview_card_providers'>
export type RecoveryCodeId = IdOf<'recovery_codes'>
export type RelayId = IdOf<'relays'>
export type ReportId = IdOf<'reports'>
export type RoleId = IdOf<'roles'>
export type RuleId = IdOf<'rules'>
export type ScheduledStatusId = IdOf<'scheduled_statuses'>
export type SessionId = IdOf<'sessions'>
export type SeveranceEventId = IdOf<'severance_events'>
export type SignInId = IdOf<'sign_ins'>
export type SigningKeyId = IdOf<'signing_keys'>
export type SpamHitId = IdOf<'spam_hits'>
export type SpamRuleId = IdOf<'spam_rules'>
export type StatusEditId = IdOf<'status_edits'>
export type StatusId = IdOf<'statuses'>
export type StatusPinId = IdOf<'status_pins'>
export type StatusReactionId = IdOf<'status_reactions'>
export type TagFollowId = IdOf<'tag_follows'>
export type TagId = IdOf<'tags'>
export type TermsOfServiceId = IdOf<'terms_of_service'>
export type UserId = IdOf<'users'>
export type UserTokenId = IdOf<'user_tokens'>
export type UsernameBlockId = IdOf<'username_blocks'>
export type WarningPresetId = IdOf<'warning_presets'>
export type WebPushSubscriptionId = IdOf<'web_push_subscriptions'>
export type WebhookDeliveryId = IdOf<'webhook_deliveries'>
export type WebhookId = IdOf<'webhooks'>

/** A place in a list that is ordered by ids: it may name no row, or one of whichever table the list is of. */
export type IdCursor = string

/** A bigint of the database that is no id: a count, or bits. */
export type BigInteger = string

/**
 * The one door from text to ids: what a request, a document, a job or a key says is the id of such a row. Whether there is
 * one, and whether the text is a number, is not looked at: see `isId`. It does not take what is an id already.
 */
export function asId<_Id extends AnyId>(text: AnyId): { isAnIdAlready: true }
export function asId<Id extends AnyId>(text: string): Id
export function asId(text: string): unknown {
  return text
}

/** The same for a list. */
export function asIds<_Id extends AnyId>(texts: readonly AnyId[]): { areIdsAlready: true }
export function asIds<Id extends AnyId>(texts: readonly string[]): Id[]
export function asIds(texts: readonly string[]): unknown {
  return texts
}

/** An id that rows of two tables share, taken as that of the other one: a post that is held has the id of its status. */
export const sameId = <Id extends AnyId>(id: AnyId) => asId<Id>(id as string)

/** The id that no row has. */
export const noId = <Id extends AnyId>() => asId<Id>('0')
