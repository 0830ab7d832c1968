import type { Generated } from 'kysely'
import type { DefaultJson, DefaultTime, Id } from './types.ts'

export interface WebPushSubscriptionsTable {
  id: Id
  token_id: Id
  account_id: Id
  endpoint: string
  key_p256dh: string
  key_auth: string
  token_sealed: string
  standard: Generated<boolean>
  policy: Generated<string>
  alerts: DefaultJson<Record<string, boolean>>
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface SignInsTable {
  id: Id
  user_id: Id
  ip: string | null
  user_agent: string | null
  created_at: DefaultTime
}
