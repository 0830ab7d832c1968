import type { Generated } from 'kysely'
import type { DayColumn, DefaultTime, Time } from './types.ts'
import type {
  AccountAliasId,
  AccountId,
  AccountMigrationId,
  DeliveryId,
  DomainAllowId,
  IncomingActivityId,
  OutgoingActivityId,
  RelayId,
  SigningKeyId,
} from '#lib/id.ts'

export interface SigningKeysTable {
  id: SigningKeyId
  account_id: AccountId | null
  rsa_private_pem: string
  rsa_public_pem: string
  ed25519_private_pem: string
  ed25519_public_pem: string
  created_at: DefaultTime
}

export interface RemoteKeysTable {
  key_id: string
  account_id: AccountId
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
  last_error: string | null
  last_error_at: Time | null
  stopped_at: Time | null
  deliver_at: Time | null
  leased_until: Time | null
  created_at: DefaultTime
}

export interface IncomingActivitiesTable {
  id: IncomingActivityId
  signer_id: AccountId
  host: string
  digest: Buffer
  body: string
  recipient_id: AccountId | null
  signed_at: Time | null
  attempts: Generated<number>
  due_at: Time
  suspected: Generated<number>
  failed_at: Time | null
  created_at: DefaultTime
  traceparent: string | null
  /** null: that of its signer. */
  ordering_key: string | null
}

export interface OutgoingActivitiesTable {
  id: OutgoingActivityId
  account_id: AccountId | null
  digest: Buffer
  body: string
  synchronise: Generated<boolean>
  severing: Generated<boolean>
  created_at: DefaultTime
  traceparent: string | null
}

export interface DeliveriesTable {
  id: DeliveryId
  activity_id: OutgoingActivityId
  host: string
  inbox_url: string
  attempts: Generated<number>
  due_at: Time
  error: string | null
  created_at: DefaultTime
}

export interface RelaysTable {
  id: RelayId
  inbox_url: string
  actor_uri: string | null
  follow_uri: string | null
  state: Generated<string>
  created_at: DefaultTime
}

export interface DomainAllowsTable {
  id: DomainAllowId
  domain: string
  created_at: DefaultTime
}

export interface AccountAliasesTable {
  id: AccountAliasId
  account_id: AccountId
  acct: string
  uri: string
  created_at: DefaultTime
}

export interface AccountMigrationsTable {
  id: AccountMigrationId
  account_id: AccountId
  acct: string
  target_account_id: AccountId | null
  followers_count: Generated<number>
  created_at: DefaultTime
}
