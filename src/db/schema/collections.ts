import type { Generated } from 'kysely'
import type { DefaultTime, Json, Time } from './types.ts'
import type {
  AccountId,
  AnnualReportId,
  CollectionId,
  CollectionItemId,
  FeaturedTagId,
  TagId,
} from '#lib/id.ts'

export interface FeaturedTagsTable {
  id: FeaturedTagId
  account_id: AccountId
  tag_id: TagId
  statuses_count: Generated<number>
  last_status_at: Time | null
  created_at: DefaultTime
}

export interface CollectionsTable {
  id: CollectionId
  account_id: AccountId
  name: string
  description: Generated<string>
  language: string | null
  tag_id: TagId | null
  sensitive: Generated<boolean>
  discoverable: Generated<boolean>
  local: Generated<boolean>
  uri: string | null
  url: string | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface CollectionItemsTable {
  id: CollectionItemId
  collection_id: CollectionId
  account_id: AccountId
  position: Generated<number>
  state: string
  uri: string | null
  approval_uri: string | null
  created_at: DefaultTime
}

export interface AnnualReportsTable {
  id: AnnualReportId
  account_id: AccountId
  year: number
  schema_version: number
  data: Json | null
  viewed_at: Time | null
  created_at: DefaultTime
}
