import type { Generated } from 'kysely'
import type { DefaultTime, Time } from './types.ts'
import type {
  AccountId,
  AccountSeveranceId,
  AccountWarningId,
  AnnualReportId,
  CollectionId,
  IdCursor,
  NotificationId,
  ReportId,
  StatusId,
  StatusReactionId,
} from '#lib/id.ts'

export interface HomeEntriesTable {
  account_id: AccountId
  status_id: StatusId
  reblog_of_id: StatusId | null
}

export interface HomeFeedsTable {
  account_id: AccountId
  built_at: Time | null
}

export interface NotificationsTable {
  /** Below 2^53, from a sequence: push messages have it as a number. */
  id: Generated<NotificationId>
  account_id: AccountId
  from_account_id: AccountId
  type: string
  status_id: StatusId | null
  group_key: string
  filtered: Generated<boolean>
  collection_id: CollectionId | null
  severance_id: AccountSeveranceId | null
  warning_id: AccountWarningId | null
  report_id: ReportId | null
  reaction_id: StatusReactionId | null
  annual_report_id: AnnualReportId | null
  created_at: DefaultTime
}

export interface MarkersTable {
  account_id: AccountId
  timeline: string
  last_read_id: IdCursor
  version: number
  updated_at: Time
}
