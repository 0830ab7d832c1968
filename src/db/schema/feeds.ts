import type { Generated } from 'kysely'
import type { DefaultTime, Id, Time } from './types.ts'

export interface HomeEntriesTable {
  account_id: Id
  status_id: Id
  reblog_of_id: Id | null
}

export interface HomeFeedsTable {
  account_id: Id
  built_at: Time | null
}

export interface NotificationsTable {
  /** Below 2^53, from a sequence: push messages have it as a number. */
  id: Generated<Id>
  account_id: Id
  from_account_id: Id
  type: string
  status_id: Id | null
  group_key: string
  filtered: Generated<boolean>
  collection_id: Id | null
  severance_id: Id | null
  warning_id: Id | null
  report_id: Id | null
  reaction_id: Id | null
  annual_report_id: Id | null
  created_at: DefaultTime
}

export interface MarkersTable {
  account_id: Id
  timeline: string
  last_read_id: Id
  version: number
  updated_at: Time
}
