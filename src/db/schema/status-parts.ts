import type { Generated } from 'kysely'
import type { DefaultJson, DefaultTime, Json, Time } from './types.ts'
import type {
  AccountId,
  ApplicationId,
  BigInteger,
  CustomEmojiId,
  DraftId,
  MediaId,
  PreviewCardId,
  PreviewCardProviderId,
  ScheduledStatusId,
  StatusEditId,
  StatusId,
  StatusReactionId,
} from '#lib/id.ts'

export interface ScheduledStatusesTable {
  id: ScheduledStatusId
  account_id: AccountId
  application_id: ApplicationId | null
  scheduled_at: Time
  params: Json
  attempts: Generated<number>
  failed_at: Time | null
  error: string | null
  created_at: DefaultTime
}

export interface DraftsTable {
  id: DraftId
  account_id: AccountId
  version: Generated<number>
  content: Json
  status_ids: Generated<StatusId[]>
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface StatusEditsTable {
  id: StatusEditId
  status_id: StatusId
  text: string
  content: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  media: DefaultJson<{ id: MediaId; description: string }[]>
  poll_options: string[] | null
  created_at: Time
}

export interface QuotesTable {
  status_id: StatusId
  account_id: AccountId
  quoted_status_id: StatusId | null
  quoted_account_id: AccountId | null
  state: string
  uri: string | null
  approval_uri: string | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface PreviewCardsTable {
  id: PreviewCardId
  url: string
  canonical_url: string | null
  url_hash: Buffer
  type: Generated<string>
  title: Generated<string>
  description: Generated<string>
  language: string | null
  author_name: Generated<string>
  author_url: Generated<string>
  author_account_id: AccountId | null
  provider_name: Generated<string>
  provider_url: Generated<string>
  html: Generated<string>
  embed_url: Generated<string>
  width: Generated<number>
  height: Generated<number>
  image_key: string | null
  image_bytes: Generated<BigInteger>
  image_description: Generated<string>
  blurhash: string | null
  published_at: Time | null
  trendable: boolean | null
  fetched_at: Time | null
  provider_id: PreviewCardProviderId | null
  created_at: DefaultTime
}

export interface StatusReactionsTable {
  id: StatusReactionId
  status_id: StatusId
  account_id: AccountId
  name: string
  custom_emoji_id: CustomEmojiId | null
  uri: string | null
  created_at: DefaultTime
}
