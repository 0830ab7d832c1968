import type { Generated } from 'kysely'
import type { DayColumn, DefaultTime, Id, Time } from './types.ts'

export interface SigningKeysTable {
  id: Id
  account_id: Id | null
  rsa_private_pem: string
  rsa_public_pem: string
  ed25519_private_pem: string
  ed25519_public_pem: string
  created_at: DefaultTime
}

export interface RemoteKeysTable {
  key_id: string
  account_id: Id
  pem: string
  fetched_at: Time
}

export interface TombstonesTable {
  uri_hash: Buffer
  expires_at: Time | null
  created_at: DefaultTime
}

export interface HostsTable {
  host: string
  software: string | null
  software_version: string | null
  info_fetched_at: Time | null
  signature_scheme: string | null
  failures: Generated<number>
  closed_until: Time | null
  failed_days: Generated<number>
  last_failed_day: DayColumn | null
  deliver_at: Time | null
  leased_until: Time | null
  created_at: DefaultTime
}

export interface IncomingActivitiesTable {
  id: Id
  signer_id: Id
  host: string
  digest: Buffer
  body: string
  recipient_id: Id | null
  signed_at: Time | null
  attempts: Generated<number>
  due_at: Time
  suspected: Generated<number>
  failed_at: Time | null
  created_at: DefaultTime
  traceparent: string | null
}

export interface OutgoingActivitiesTable {
  id: Id
  account_id: Id | null
  digest: Buffer
  body: string
  synchronise: Generated<boolean>
  severing: Generated<boolean>
  created_at: DefaultTime
  traceparent: string | null
}

export interface DeliveriesTable {
  id: Id
  activity_id: Id
  host: string
  inbox_url: string
  attempts: Generated<number>
  due_at: Time
  created_at: DefaultTime
}

export interface RelaysTable {
  id: Id
  inbox_url: string
  actor_uri: string | null
  follow_uri: string | null
  state: Generated<string>
  created_at: DefaultTime
}

export interface DomainAllowsTable {
  id: Id
  domain: string
  created_at: DefaultTime
}

export interface AccountAliasesTable {
  id: Id
  account_id: Id
  acct: string
  uri: string
  created_at: DefaultTime
}

export interface AccountMigrationsTable {
  id: Id
  account_id: Id
  acct: string
  target_account_id: Id | null
  followers_count: Generated<number>
  created_at: DefaultTime
}
