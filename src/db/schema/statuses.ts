import type { Generated } from 'kysely'
import type { DefaultTime, Time } from './types.ts'
import type {
  AccountId,
  ApplicationId,
  BookmarkId,
  CollectionId,
  ConversationId,
  DraftId,
  FavouriteId,
  MediaId,
  PollId,
  PreviewCardId,
  ScheduledStatusId,
  StatusId,
  StatusPinId,
  TagFollowId,
  TagId,
} from '#lib/id.ts'

export interface TagsTable {
  id: TagId
  name: string
  display_name: string
  usable: Generated<boolean>
  listable: Generated<boolean>
  trendable: boolean | null
  reviewed_at: Time | null
  last_status_at: Time | null
  created_at: DefaultTime
}

export interface TagFollowsTable {
  id: TagFollowId
  account_id: AccountId
  tag_id: TagId
  created_at: DefaultTime
}

export interface ConversationsTable {
  id: ConversationId
  uri: string | null
  created_at: DefaultTime
}

export interface StatusesTable {
  id: StatusId
  account_id: AccountId
  text: Generated<string>
  content: Generated<string>
  spoiler_text: Generated<string>
  visibility: string
  sensitive: Generated<boolean>
  language: string | null
  local: Generated<boolean>
  reply: Generated<boolean>
  in_reply_to_id: StatusId | null
  in_reply_to_account_id: AccountId | null
  reblog_of_id: StatusId | null
  conversation_id: ConversationId | null
  application_id: ApplicationId | null
  media_ids: Generated<MediaId[]>
  poll_id: PollId | null
  card_id: PreviewCardId | null
  collection_ids: Generated<CollectionId[]>
  quote_automatic: Generated<string[]>
  quote_manual: Generated<string[]>
  reply_automatic: string[] | null
  reply_manual: string[] | null
  content_type: Generated<string>
  local_only: Generated<boolean>
  trendable: boolean | null
  uri: string | null
  url: string | null
  replies_url: string | null
  replies_fetched_at: Time | null
  fetched_at: Time | null
  version: Generated<number>
  edited_at: Time | null
  deleted_at: Time | null
  created_at: DefaultTime
}

export interface StatusStatsTable {
  status_id: StatusId
  replies_count: Generated<number>
  reblogs_count: Generated<number>
  favourites_count: Generated<number>
  quotes_count: Generated<number>
  reactions_count: Generated<number>
  told_favourites_count: number | null
  told_reblogs_count: number | null
  counts_kept: Generated<boolean>
}

export interface StatusHourlyCountsTable extends ReactionCountColumns {
  status_id: StatusId
  hour: Time
}

export interface StatusDomainCountsTable extends ReactionCountColumns {
  status_id: StatusId
  domain: string
}

interface ReactionCountColumns {
  favourites: Generated<number>
  reblogs: Generated<number>
  replies: Generated<number>
  quotes: Generated<number>
}

export interface MentionsTable {
  status_id: StatusId
  account_id: AccountId
  silent: Generated<boolean>
}

export interface StatusTagsTable {
  tag_id: TagId
  status_id: StatusId
}

export interface FavouritesTable {
  id: FavouriteId
  account_id: AccountId
  status_id: StatusId
  uri: string | null
  created_at: DefaultTime
}

export interface BookmarksTable {
  id: BookmarkId
  account_id: AccountId
  status_id: StatusId
  created_at: DefaultTime
}

export interface StatusPinsTable {
  id: StatusPinId
  account_id: AccountId
  status_id: StatusId
  created_at: DefaultTime
}

export interface ConversationMutesTable {
  account_id: AccountId
  conversation_id: ConversationId
  created_at: DefaultTime
}

export interface IdempotencyKeysTable {
  account_id: AccountId
  key: string
  status_id: StatusId | ScheduledStatusId | DraftId
  created_at: Time
  further_ids: Generated<StatusId[]>
}
