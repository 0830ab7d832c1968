import type { DefaultTime, Id, Time } from './types.ts'

export interface ApplicationsTable {
  id: Id
  name: string
  website: string | null
  redirect_uris: string[]
  scopes: string[]
  client_id: string
  client_secret_hash: Buffer
  created_at: DefaultTime
}

export interface OauthGrantsTable {
  id: Id
  code_hash: Buffer
  application_id: Id
  user_id: Id
  redirect_uri: string
  scopes: string[]
  code_challenge: string | null
  used_at: Time | null
  expires_at: Time
  created_at: DefaultTime
}

export interface OauthTokensTable {
  id: Id
  token_hash: Buffer
  refresh_hash: Buffer | null
  application_id: Id | null
  user_id: Id | null
  grant_id: Id | null
  session_id: Id | null
  scopes: string[]
  expires_at: Time | null
  revoked_at: Time | null
  last_used_at: Time | null
  created_at: DefaultTime
}
