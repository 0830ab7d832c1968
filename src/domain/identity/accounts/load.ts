import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { refusesFiles } from '#domain/server/instance/refuses-files.ts'
import { keyBy } from '#lib/collections.ts'

export interface AccountCounts {
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: Date | null
}

export interface ProfileField {
  name: string
  value: string
  html: string
  verified_at: string | null
}

export interface AccountRow {
  id: Id
  username: string
  domain: string | null
  display_name: string
  note: string
  note_html: string
  fields: ProfileField[]
  actor_type: string
  locked: boolean
  discoverable: boolean | null
  indexable: boolean
  hide_collections: boolean | null
  noindex: boolean
  show_media: boolean
  show_media_replies: boolean
  show_featured: boolean
  avatar_key: string | null
  avatar_static_key: string | null
  avatar_description: string
  header_key: string | null
  header_static_key: string | null
  header_description: string
  avatar_remote_url: string | null
  header_remote_url: string | null
  /** This server takes no files from that of the account. Only looked at where a picture is not copied yet. */
  files_refused: boolean
  memorial: boolean
  moved_to_account_id: Id | null
  silenced_at: Date | null
  suspended_at: Date | null
  uri: string | null
  url: string | null
  version: number
  created_at: Date
  role_id: Id | null
  role_name: string | null
  role_color: string | null
  role_highlighted: boolean | null
}

/** The narrow row by which cached accounts are found: it changes with every post and follow. */
export interface AccountLine extends AccountCounts {
  id: Id
  version: number
}

/** Id, version and counters of accounts, in one query. Missing and deleted ones are left out. */
export async function loadAccountLines(reader: Reader, ids: readonly Id[]): Promise<Map<Id, AccountLine>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<AccountLine>`
    select a.id, a.version, coalesce(t.followers_count, 0) as followers_count,
      coalesce(t.following_count, 0) as following_count, coalesce(t.statuses_count, 0) as statuses_count, t.last_status_at
    from accounts a left join account_stats t on t.account_id = a.id
    where a.id = any(${[...new Set(ids)]}::bigint[]) and a.deleted_at is null`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}

/** The texts, pictures and states of accounts, suspended ones too. */
export async function loadAccountRows(reader: Reader, ids: readonly Id[]): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select a.*, r.id as role_id, r.name as role_name, r.color as role_color, r.highlighted as role_highlighted,
      coalesce((u.settings ->> 'noindex')::boolean, false) as noindex,
      case when (a.avatar_key is null and a.avatar_remote_url is not null)
          or (a.header_key is null and a.header_remote_url is not null)
        then ${refusesFiles(sql`a.domain`)} or ${refusesFiles(sql`a.uri_host`)} else false end as files_refused
    from accounts a
    left join users u on u.account_id = a.id
    left join roles r on r.id = u.role_id
    where a.id = any(${[...new Set(ids)]}::bigint[])`.execute(reader.db)
  return rows
}
