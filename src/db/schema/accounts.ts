import type { Generated, GeneratedAlways } from 'kysely'
import type { DayColumn, DefaultJson, DefaultTime, Time } from './types.ts'
import type {
  AccountId,
  ApplicationId,
  BigInteger,
  IdentityId,
  InviteId,
  RoleId,
  SessionId,
  UserId,
  UserTokenId,
} from '#lib/id.ts'

export interface RolesTable {
  id: RoleId
  name: string
  /** `#rrggbb`, or nothing. */
  color: Generated<string>
  /** Bits, in decimal. */
  permissions: Generated<BigInteger>
  /** Higher ones act on lower ones. */
  position: Generated<number>
  /** Shown with the accounts that have it. */
  highlighted: Generated<boolean>
  /** Those who have it must use a second factor. */
  require_2fa: Generated<boolean>
  /** How many collections of accounts its people may have. */
  collection_limit: Generated<number>
  updated_at: DefaultTime
  created_at: DefaultTime
}

export interface AccountsTable {
  id: AccountId
  username: string
  domain: string | null
  display_name: Generated<string>
  note: Generated<string>
  note_html: Generated<string>
  fields: DefaultJson
  actor_type: Generated<string>
  locked: Generated<boolean>
  discoverable: boolean | null
  indexable: Generated<boolean>
  hide_collections: boolean | null
  show_media: Generated<boolean>
  show_media_replies: Generated<boolean>
  show_featured: Generated<boolean>
  attribution_domains: Generated<string[]>
  trendable: boolean | null
  avatar_key: string | null
  avatar_static_key: string | null
  avatar_description: Generated<string>
  header_key: string | null
  header_static_key: string | null
  header_description: Generated<string>
  memorial: Generated<boolean>
  moved_to_account_id: AccountId | null
  silenced_at: Time | null
  suspended_at: Time | null
  sensitized_at: Time | null
  deleted_at: Time | null
  uri: string | null
  url: string | null
  uri_host: string | null
  inbox_url: string | null
  shared_inbox_url: string | null
  outbox_url: string | null
  followers_url: string | null
  following_url: string | null
  featured_url: string | null
  featured_tags_url: string | null
  avatar_remote_url: string | null
  header_remote_url: string | null
  also_known_as: Generated<string[]>
  fetched_at: Time | null
  tried_at: Time | null
  suspended_by_origin: Generated<boolean>
  version: Generated<number>
  /** Made by the database of its names, for search. */
  search_names: GeneratedAlways<string | null>
  deletion_due_at: Time | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface AccountStatsTable {
  account_id: AccountId
  followers_count: Generated<number>
  following_count: Generated<number>
  statuses_count: Generated<number>
  last_status_at: Time | null
}

export interface UsersTable {
  id: UserId
  account_id: AccountId
  email: string
  email_canonical: string
  unconfirmed_email: string | null
  password_hash: string
  confirmed_at: Time | null
  approved: Generated<boolean>
  disabled: Generated<boolean>
  role_id: RoleId | null
  locale: Generated<string>
  time_zone: string | null
  settings: DefaultJson
  chosen_languages: string[] | null
  sign_up_ip: string | null
  sign_up_reason: string | null
  created_by_application_id: ApplicationId | null
  last_active_at: Time | null
  filters_version: Generated<number>
  digest_sent_at: Time | null
  invite_id: InviteId | null
  /** Sealed with a key that is not in the database. */
  otp_secret_sealed: string | null
  otp_enabled_at: Time | null
  otp_last_step: BigInteger | null
  created_at: DefaultTime
}

export interface UserActivityTable {
  user_id: UserId
  day: DayColumn
}

export interface ActivityWeeksTable {
  week: DayColumn
  statuses: Generated<number>
  registrations: Generated<number>
}

export interface UserTokensTable {
  id: UserTokenId
  user_id: UserId
  purpose: string
  email: string | null
  redirect_uri: string | null
  expires_at: Time
  created_at: DefaultTime
}

/** As whom a provider of identities knows a user. */
export interface IdentitiesTable {
  id: IdentityId
  user_id: UserId
  /** Its name in addresses, such as `openid_connect`. */
  provider: string
  /** What the operator chose to tell people apart by (`OIDC_UID_FIELD`, `LDAP_UID`). */
  uid: string
  /** What the provider itself tells them apart by; null: it was not told yet. */
  subject: string | null
  created_at: Time
}

export interface SessionsTable {
  id: SessionId
  token_hash: Buffer
  user_id: UserId
  ip: string | null
  user_agent: string | null
  created_at: DefaultTime
  last_seen_at: DefaultTime
  expires_at: Time
}
