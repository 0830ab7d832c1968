// What the operator decides while the server runs. One row a setting; those without a row have their default.
import { sql } from 'kysely'
import type { Config, Ctx, Reader } from '#ports/ctx.ts'
import { createTtlCache } from '#lib/time/ttl-cache.ts'

export type RegistrationsMode = 'open' | 'approved' | 'none'

/** Who may read a public feed. `disabled`: only those whose role lets them (`view_feeds`). */
export type FeedAccess = 'public' | 'authenticated' | 'disabled'

export interface Settings {
  registrations_mode: RegistrationsMode
  /** Shown where sign-up is refused. Empty: a sentence of the server's own. */
  closed_registrations_message: string
  /** In approval mode, whether a reason for joining must be given. */
  require_invite_text: boolean
  /** Years. null: not asked for. */
  min_age: number | null
  site_title: string
  /** Plain text. */
  site_short_description: string
  /** HTML of the operator's own. */
  site_extended_description: string
  site_terms: string
  site_contact_email: string
  /** A local user name without `@`. */
  site_contact_username: string
  status_page_url: string
  profile_directory: boolean
  trends: boolean
  /** Whether what no moderator has looked at may trend. */
  trendable_by_default: boolean
  /** Handles of accounts that are suggested to everybody, with commas between them. */
  bootstrap_timeline_accounts: string
  peers_api_enabled: boolean
  activity_api_enabled: boolean
  show_domain_blocks: 'disabled' | 'users' | 'all'
  show_domain_blocks_rationale: 'disabled' | 'users' | 'all'
  noindex: boolean
  /** Days for which notifications are kept; the newest of each person stay. null: for good. */
  notification_retention_days: number | null
  /** Days for which a copy of another server's file is kept after somebody looked at it. null: for good. */
  media_cache_retention_period: number | null
  /** Gigabytes (10⁹ bytes) that these copies may take; the one unused for longest goes first. null: no limit. */
  media_cache_budget_gb: number | null
  /** Days for which people can download an archive of their data. null: for good. */
  backups_retention_period: number | null
  /** Days after which statuses of other servers go that nobody here touched. null: never. */
  content_cache_retention_period: number | null
  /** Accounts that may be made in 24 hours. null: no limit. */
  sign_ups_per_day: number | null
  /** Open registrations want approval from when no moderator was seen for a week. */
  registrations_need_staff: boolean
  /** Minutes for which what strangers on a server never heard of before write to people here waits. null: not at all. */
  greylist_minutes: number | null
  /** Days for which it is known from which addresses people signed up and in. null: for good. */
  ip_retention_period: number | null
  /** Days for which the audit log is kept. null: for good. */
  audit_log_retention_period: number | null
  /** Added to all pages. */
  custom_css: string
  /** Of the public timeline: what was posted here. */
  local_live_feed_access: FeedAccess
  /** Of the public timeline: what other servers sent. */
  remote_live_feed_access: FeedAccess
  /** The same of the timelines of hashtags and links. Those of this server's posts are never disabled. */
  local_topic_feed_access: Exclude<FeedAccess, 'disabled'>
  remote_topic_feed_access: FeedAccess
  /** What the root of the site shows to strangers. */
  landing_page: 'about' | 'trends' | 'local_feed'
  /** Extensions of the API. */
  emoji_reactions: boolean
  local_only_statuses: boolean
  markdown_statuses: boolean
  /** Whether people may have a report of their year made in December. */
  wrapstodon: boolean
}

export type SettingKey = keyof Settings

export const defaultSettings: Readonly<Settings> = {
  registrations_mode: 'open',
  closed_registrations_message: '',
  require_invite_text: false,
  min_age: null,
  site_title: 'Stonechat',
  site_short_description: '',
  site_extended_description: '',
  site_terms: '',
  site_contact_email: '',
  site_contact_username: '',
  status_page_url: '',
  profile_directory: true,
  trends: true,
  trendable_by_default: false,
  bootstrap_timeline_accounts: '',
  peers_api_enabled: true,
  activity_api_enabled: true,
  show_domain_blocks: 'disabled',
  show_domain_blocks_rationale: 'disabled',
  noindex: false,
  notification_retention_days: 180,
  media_cache_retention_period: null,
  media_cache_budget_gb: null,
  backups_retention_period: 7,
  content_cache_retention_period: null,
  sign_ups_per_day: null,
  registrations_need_staff: true,
  greylist_minutes: null,
  ip_retention_period: 365,
  audit_log_retention_period: null,
  custom_css: '',
  local_live_feed_access: 'public',
  remote_live_feed_access: 'public',
  local_topic_feed_access: 'public',
  remote_topic_feed_access: 'public',
  landing_page: 'about',
  emoji_reactions: false,
  local_only_statuses: false,
  markdown_statuses: false,
  wrapstodon: true,
}

const recent = createTtlCache(1_000, readSettings)

/** All settings, at most a second old. For what must not be late (who may sign up) there is `readSettings`. */
export const getSettings = (reader: Reader): Promise<Settings> => recent.get(reader)

/** All settings as they are in the database now. */
export async function readSettings(reader: Reader): Promise<Settings> {
  const { rows } = await sql<{ key: string; value: unknown }>`select key, value from settings`.execute(
    reader.db,
  )
  const known = rows.filter((row) => Object.hasOwn(defaultSettings, row.key))
  return { ...defaultSettings, ...Object.fromEntries(known.map((row) => [row.key, row.value])) }
}

/** Changes one setting. Staff change them by `updateSettings`. */
export async function setSetting<K extends SettingKey>(ctx: Ctx, key: K, value: Settings[K]): Promise<void> {
  await writeSettings(ctx, { [key]: value })
}

/** Writes settings, in a transaction for whoever wants one. */
export async function writeSettings(reader: Reader, values: Partial<Settings>): Promise<void> {
  await sql`
    insert into settings (key, value, updated_at)
    select key, value, ${new Date(reader.clock.now())}::timestamptz from jsonb_each(${JSON.stringify(values)}::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`.execute(
    reader.db,
  )
}

/** Has this process read the settings again: the database has told that they changed. */
export const invalidateSettings = recent.forget

/**
 * Whether people may make accounts themselves, at once or after approval. A server of one person never lets them, and one
 * that leaves signing in to others leaves it to them.
 */
export function isRegistrationPossible(config: Config, settings: Settings): boolean {
  return !config.singleUser && !config.signIn.onlyByOthers && settings.registrations_mode !== 'none'
}

/**
 * Whether somebody whom a provider of identities vouches for may make an account. The operator's directory has let them
 * in already, and so has any provider where there is no other way in.
 */
export function isRegistrationByOthersPossible(
  config: Config,
  settings: Settings,
  provider: string,
): boolean {
  if (config.singleUser) return false
  return provider === 'ldap' || config.signIn.onlyByOthers || settings.registrations_mode !== 'none'
}
