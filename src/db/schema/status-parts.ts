import type { Generated } from 'kysely'
import type { DefaultJson, DefaultTime, Id, Json, Time } from './types.ts'

export interface ScheduledStatusesTable {
  id: Id
  account_id: Id
  application_id: Id | null
  scheduled_at: Time
  params: Json
  attempts: Generated<number>
  failed_at: Time | null
  error: string | null
  created_at: DefaultTime
}

export interface DraftsTable {
  id: Id
  account_id: Id
  version: Generated<number>
  content: Json
  status_ids: Generated<Id[]>
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface StatusEditsTable {
  id: Id
  status_id: Id
  text: string
  content: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  media: DefaultJson<{ id: Id; description: string }[]>
  poll_options: string[] | null
  created_at: Time
}

export interface QuotesTable {
  status_id: Id
  account_id: Id
  quoted_status_id: Id | null
  quoted_account_id: Id | null
  state: string
  uri: string | null
  approval_uri: string | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface PreviewCardsTable {
  id: Id
  url: string
  canonical_url: string | null
  url_hash: Buffer
  type: Generated<string>
  title: Generated<string>
  description: Generated<string>
  language: string | null
  author_name: Generated<string>
  author_url: Generated<string>
  author_account_id: Id | null
  provider_name: Generated<string>
  provider_url: Generated<string>
  html: Generated<string>
  embed_url: Generated<string>
  width: Generated<number>
  height: Generated<number>
  image_key: string | null
  image_bytes: Generated<Id>
  image_description: Generated<string>
  blurhash: string | null
  published_at: Time | null
  trendable: boolean | null
  fetched_at: Time | null
  provider_id: Id | null
  created_at: DefaultTime
}

export interface StatusReactionsTable {
  id: Id
  status_id: Id
  account_id: Id
  name: string
  custom_emoji_id: Id | null
  uri: string | null
  created_at: DefaultTime
}
