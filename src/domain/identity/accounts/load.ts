import { sql, type QueryExecutorProvider, type Selectable } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { AccountsTable, AccountStatsTable } from '#db/schema/accounts.ts'
import type { RowCache } from '#ports/cache.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { refusesFiles } from '#domain/server/instance/refuses-files.ts'
import { notFound } from '#lib/errors.ts'
import { keyBy } from '#lib/collections.ts'
import { presentAccount } from './presence.ts'
import type { AccountId, RoleId } from '#lib/id.ts'

export type AccountCounts = Omit<Selectable<AccountStatsTable>, 'account_id'>

export interface ProfileField {
  name: string
  value: string
  html: string
  verified_at: string | null
}

type AccountColumns = Pick<
  Selectable<AccountsTable>,
  | 'id'
  | 'username'
  | 'domain'
  | 'display_name'
  | 'note'
  | 'note_html'
  | 'actor_type'
  | 'locked'
  | 'discoverable'
  | 'indexable'
  | 'hide_collections'
  | 'show_media'
  | 'show_media_replies'
  | 'show_featured'
  | 'avatar_key'
  | 'avatar_static_key'
  | 'avatar_description'
  | 'avatar_remote_url'
  | 'header_key'
  | 'header_static_key'
  | 'header_description'
  | 'header_remote_url'
  | 'memorial'
  | 'moved_to_account_id'
  | 'silenced_at'
  | 'suspended_at'
  | 'uri'
  | 'url'
  | 'version'
  | 'created_at'
>

export interface AccountRow extends AccountColumns {
  fields: ProfileField[]
  noindex: boolean
  /** This server takes no files from that of the account. Only looked at where a picture is not copied yet. */
  files_refused: boolean
  role_id: RoleId | null
  role_name: string | null
  role_color: string | null
  role_highlighted: boolean | null
}

/** The narrow row by which cached accounts are found: it changes with every post and follow. */
export interface AccountLine extends AccountCounts {
  id: AccountId
  version: number
  /** Staff marked all that the account shows as sensitive. */
  sensitized: boolean
  suspended: boolean
  /** Limited: met in lists by followers alone. */
  silenced: boolean
  deleted: boolean
  /** Others may know of it (`presentAccount`). */
  present: boolean
  domain: string | null
}

const lineColumns = sql`
    a.id, a.version, a.sensitized_at is not null as sensitized, a.suspended_at is not null as suspended,
    a.silenced_at is not null as silenced, a.deleted_at is not null as deleted, ${presentAccount('a')} as present, a.domain,
    coalesce(t.followers_count, 0) as followers_count, coalesce(t.following_count, 0) as following_count,
    coalesce(t.statuses_count, 0) as statuses_count, t.last_status_at`

/** Lines of accounts, by one query of those that are not kept. Missing and deleted ones are left out. */
export async function loadAccountLines(
  ctx: Ctx,
  ids: Iterable<AccountId>,
): Promise<Map<AccountId, AccountLine>> {
  const lines = await loadLinesOfAll(ctx, ids)
  for (const [id, line] of lines) if (line.deleted) lines.delete(id)
  return lines
}

/** The same with deleted accounts, as long as the row is there. */
export function loadLinesOfAll(
  { caches, db }: Ctx,
  ids: Iterable<AccountId>,
): Promise<Map<AccountId, AccountLine>> {
  const kept = caches.accountLines as RowCache<AccountId, AccountLine>
  return kept.getMany(new Set(ids), async (missing) => {
    const { rows } = await askLines(db, missing)
    return keyBy(rows, (row) => row.id)
  })
}

const askLines = keepStatement((db: QueryExecutorProvider, ids: readonly AccountId[]) =>
  sql<AccountLine>`
    select ${lineColumns} from accounts a left join account_stats t on t.account_id = a.id
    where a.id = any(${ids}::bigint[])`.execute(db),
)

/** The line of an account that is there for others, suspended ones too. Throws `not_found`. */
export async function getAccountLine(ctx: Ctx, id: AccountId): Promise<AccountLine> {
  const line = (await loadAccountLines(ctx, [id])).get(id)
  if (!line?.present) throw notFound()
  return line
}

/** What the owner of an account alone is told: how many ask to follow it. */
type OwnLine = AccountLine & { follow_requests_count: number }

/** The line of somebody's own account. Null when there is none. */
export async function findOwnLine({ caches, db }: Ctx, id: AccountId): Promise<OwnLine | null> {
  const kept = caches.ownLines as RowCache<AccountId, OwnLine>
  const lines = await kept.getMany([id], async () => {
    const { rows } = await askOwnLine(db, id)
    return keyBy(rows, (row) => row.id)
  })
  return lines.get(id) ?? null
}

const askOwnLine = keepStatement((db: QueryExecutorProvider, id: AccountId) =>
  sql<OwnLine>`
    select ${lineColumns},
      (select count(*) from follow_requests q where q.target_account_id = a.id)::int as follow_requests_count
    from accounts a left join account_stats t on t.account_id = a.id
    where a.id = ${id} and a.deleted_at is null`.execute(db),
)

/** The texts, pictures and states of accounts, suspended ones too. */
export async function loadAccountRows(reader: Reader, ids: readonly AccountId[]): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select a.id, a.username, a.domain, a.display_name, a.note, a.note_html, a.fields, a.actor_type, a.locked,
      a.discoverable, a.indexable, a.hide_collections, a.show_media, a.show_media_replies, a.show_featured,
      a.avatar_key, a.avatar_static_key, a.avatar_description, a.avatar_remote_url,
      a.header_key, a.header_static_key, a.header_description, a.header_remote_url,
      a.memorial, a.moved_to_account_id, a.silenced_at, a.suspended_at, a.uri, a.url, a.version, a.created_at,
      r.id as role_id, r.name as role_name, r.color as role_color, r.highlighted as role_highlighted,
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
