import type { Generated } from 'kysely'
import type { DefaultTime, Id, Time } from './types.ts'

export interface FollowsTable {
  id: Id
  account_id: Id
  target_account_id: Id
  show_reblogs: Generated<boolean>
  notify: Generated<boolean>
  languages: string[] | null
  uri: string | null
  created_at: DefaultTime
}

export interface FollowRequestsTable {
  id: Id
  account_id: Id
  target_account_id: Id
  show_reblogs: Generated<boolean>
  notify: Generated<boolean>
  languages: string[] | null
  uri: string | null
  created_at: DefaultTime
}

export interface BlocksTable {
  id: Id
  account_id: Id
  target_account_id: Id
  uri: string | null
  created_at: DefaultTime
}

export interface MutesTable {
  id: Id
  account_id: Id
  target_account_id: Id
  hide_notifications: Generated<boolean>
  expires_at: Time | null
  created_at: DefaultTime
}

export interface AccountDomainBlocksTable {
  id: Id
  account_id: Id
  domain: string
  created_at: DefaultTime
}

export interface AccountNotesTable {
  account_id: Id
  target_account_id: Id
  comment: string
  updated_at: DefaultTime
}

export interface EndorsementsTable {
  id: Id
  account_id: Id
  target_account_id: Id
  created_at: DefaultTime
}
