import type { DefaultTime, Time } from './types.ts'
import type { ApplicationId, OauthGrantId, OauthTokenId, SessionId, UserId } from '#lib/id.ts'

export interface ApplicationsTable {
  id: ApplicationId
  name: string
  website: string | null
  redirect_uris: string[]
  scopes: string[]
  client_id: string
  client_secret_hash: Buffer
  created_at: DefaultTime
  /** Who made it for themselves, and looks after it. */
  user_id: UserId | null
}

export interface OauthGrantsTable {
  id: OauthGrantId
  code_hash: Buffer
  application_id: ApplicationId
  user_id: UserId
  redirect_uri: string
  scopes: string[]
  code_challenge: string | null
  used_at: Time | null
  expires_at: Time
  created_at: DefaultTime
}

export interface OauthTokensTable {
  id: OauthTokenId
  token_hash: Buffer
  refresh_hash: Buffer | null
  application_id: ApplicationId | null
  user_id: UserId | null
  grant_id: OauthGrantId | null
  session_id: SessionId | null
  scopes: string[]
  expires_at: Time | null
  revoked_at: Time | null
  last_used_at: Time | null
  /** When the push service ended its subscription; null once there is another, or it was ended by its owner. */
  push_lost_at: Time | null
  created_at: DefaultTime
}
