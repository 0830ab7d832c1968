import type { Generated } from 'kysely'
import type { DefaultTime, Id, Time } from './types.ts'

export interface PollsTable {
  id: Id
  status_id: Id
  account_id: Id
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
  poll_id: Id
  account_id: Id
  choice: number
  uri: string | null
  created_at: DefaultTime
}
