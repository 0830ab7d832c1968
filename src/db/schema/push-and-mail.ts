import type { Generated } from 'kysely'
import type { DefaultJson, DefaultTime } from './types.ts'
import type { AccountId, OauthTokenId, SignInId, UserId, WebPushSubscriptionId } from '#lib/id.ts'

export interface WebPushSubscriptionsTable {
  id: WebPushSubscriptionId
  token_id: OauthTokenId
  account_id: AccountId
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
  id: SignInId
  user_id: UserId
  ip: string | null
  user_agent: string | null
  created_at: DefaultTime
}
