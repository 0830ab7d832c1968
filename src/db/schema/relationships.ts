import type { Generated } from 'kysely'
import type { DefaultTime, Time } from './types.ts'
import type {
  AccountDomainBlockId,
  AccountId,
  BlockId,
  EndorsementId,
  FollowId,
  FollowRequestId,
  MuteId,
} from '#lib/id.ts'

export interface FollowsTable {
  id: FollowId
  account_id: AccountId
  target_account_id: AccountId
  show_reblogs: Generated<boolean>
  notify: Generated<boolean>
  languages: string[] | null
  uri: string | null
  created_at: DefaultTime
}

export interface FollowRequestsTable {
  id: FollowRequestId
  account_id: AccountId
  target_account_id: AccountId
  show_reblogs: Generated<boolean>
  notify: Generated<boolean>
  languages: string[] | null
  uri: string | null
  created_at: DefaultTime
}

export interface BlocksTable {
  id: BlockId
  account_id: AccountId
  target_account_id: AccountId
  uri: string | null
  created_at: DefaultTime
}

export interface MutesTable {
  id: MuteId
  account_id: AccountId
  target_account_id: AccountId
  hide_notifications: Generated<boolean>
  expires_at: Time | null
  created_at: DefaultTime
}

export interface AccountDomainBlocksTable {
  id: AccountDomainBlockId
  account_id: AccountId
  domain: string
  created_at: DefaultTime
}

export interface AccountNotesTable {
  account_id: AccountId
  target_account_id: AccountId
  comment: string
  updated_at: DefaultTime
}

export interface EndorsementsTable {
  id: EndorsementId
  account_id: AccountId
  target_account_id: AccountId
  created_at: DefaultTime
}
