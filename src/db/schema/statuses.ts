import type { Generated } from 'kysely'
import type { DefaultTime, Id, Time } from './types.ts'

export interface TagsTable {
  id: Id
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
  id: Id
  account_id: Id
  tag_id: Id
  created_at: DefaultTime
}

export interface ConversationsTable {
  id: Id
  uri: string | null
  created_at: DefaultTime
}

export interface StatusesTable {
  id: Id
  account_id: Id
  text: Generated<string>
  content: Generated<string>
  spoiler_text: Generated<string>
  visibility: string
  sensitive: Generated<boolean>
  language: string | null
  local: Generated<boolean>
  reply: Generated<boolean>
  in_reply_to_id: Id | null
  in_reply_to_account_id: Id | null
  reblog_of_id: Id | null
  conversation_id: Id | null
  application_id: Id | null
  media_ids: Generated<Id[]>
  poll_id: Id | null
  card_id: Id | null
  collection_ids: Generated<Id[]>
  quote_automatic: Generated<string[]>
  quote_manual: Generated<string[]>
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
  status_id: Id
  replies_count: Generated<number>
  reblogs_count: Generated<number>
  favourites_count: Generated<number>
  quotes_count: Generated<number>
  reactions_count: Generated<number>
  told_favourites_count: number | null
  told_reblogs_count: number | null
}

export interface MentionsTable {
  status_id: Id
  account_id: Id
  silent: Generated<boolean>
}

export interface StatusTagsTable {
  tag_id: Id
  status_id: Id
}

export interface FavouritesTable {
  id: Id
  account_id: Id
  status_id: Id
  uri: string | null
  created_at: DefaultTime
}

export interface BookmarksTable {
  id: Id
  account_id: Id
  status_id: Id
  created_at: DefaultTime
}

export interface StatusPinsTable {
  id: Id
  account_id: Id
  status_id: Id
  created_at: DefaultTime
}

export interface ConversationMutesTable {
  account_id: Id
  conversation_id: Id
  created_at: DefaultTime
}

export interface IdempotencyKeysTable {
  account_id: Id
  key: string
  status_id: Id
  created_at: Time
  further_ids: Generated<Id[]>
}
