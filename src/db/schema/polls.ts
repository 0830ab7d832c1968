import type { Generated } from 'kysely'
import type { DefaultTime, Time } from './types.ts'
import type { AccountId, PollId, StatusId } from '#lib/id.ts'

export interface PollsTable {
  id: PollId
  status_id: StatusId
  account_id: AccountId
  options: string[]
  tallies: number[]
  multiple: Generated<boolean>
  hide_totals: Generated<boolean>
  votes_count: Generated<number>
  voters_count: number | null
  expires_at: Time | null
  closed_at: Time | null
  fetched_at: Time | null
  created_at: DefaultTime
}

export interface PollVotesTable {
  poll_id: PollId
  account_id: AccountId
  choice: number
  uri: string | null
  created_at: DefaultTime
}
