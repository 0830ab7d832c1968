import type { Generated } from 'kysely'
import type { DefaultTime, Id, Json, Time } from './types.ts'

export interface FeaturedTagsTable {
  id: Id
  account_id: Id
  tag_id: Id
  statuses_count: Generated<number>
  last_status_at: Time | null
  created_at: DefaultTime
}

export interface CollectionsTable {
  id: Id
  account_id: Id
  name: string
  description: Generated<string>
  language: string | null
  tag_id: Id | null
  sensitive: Generated<boolean>
  discoverable: Generated<boolean>
  local: Generated<boolean>
  uri: string | null
  url: string | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface CollectionItemsTable {
  id: Id
  collection_id: Id
  account_id: Id
  position: Generated<number>
  state: string
  uri: string | null
  approval_uri: string | null
  created_at: DefaultTime
}

export interface AnnualReportsTable {
  id: Id
  account_id: Id
  year: number
  schema_version: number
  data: Json | null
  viewed_at: Time | null
  created_at: DefaultTime
}
