// What a status of another server names, as far as it is known here.
import { sql, type Selectable } from 'kysely'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { Reader } from '#ports/ctx.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { keyBy, pick, unique } from '#lib/collections.ts'
import type { StatusFacts } from '../queries.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface KnownStatus extends StatusFacts {
  uri: string | null
  /** It was deleted, and its row waits for the purge. */
  deleted: boolean
}

const columns = sql`s.id, s.account_id, s.visibility, s.local, s.in_reply_to_id, s.in_reply_to_account_id,
  s.reblog_of_id, s.conversation_id, s.local_only, s.uri,
  s.reply_automatic is not null as replies_limited, s.deleted_at is not null as deleted`

/**
 * Statuses of other servers by their ids there, and this server's by `localIds` with the ids here as keys. Deleted
 * ones too, as long as their rows are there.
 */
export async function loadKnownStatuses(
  reader: Reader,
  uris: readonly string[],
  localIds: readonly StatusId[] = [],
): Promise<Map<string, KnownStatus>> {
  if (uris.length === 0 && localIds.length === 0) return new Map()
  const found = await loadNamed(reader, { uris, localIds })
  return keyBy(found, (row) => row.uri ?? row.id)
}

const loadNamed = createBatchLoader<
  Reader,
  { uris: readonly string[]; localIds: readonly StatusId[] },
  KnownStatus[]
>({
  max: 50,
  async run(reader, all) {
    const uris = unique(all.flatMap((one) => one.uris))
    const localIds = unique(all.flatMap((one) => one.localIds))
    const { rows } = await sql<KnownStatus>`
      select ${columns} from statuses s where s.uri = any(${uris}::text[]) and not s.local
      union all
      select ${columns} from statuses s where s.id = any(${localIds}::bigint[]) and s.local`.execute(
      reader.db,
    )
    const byKey = keyBy(rows, (row) => row.uri ?? row.id)
    return all.map((one) => pick(unique([...one.uris, ...one.localIds]), byKey))
  },
})

export interface KnownAccount {
  id: AccountId
  /** Null of this server's. */
  uri: string | null
  username: string
  local: boolean
}

/** Accounts that may be named: of other servers by their ids there, of this one by their names in lower case. */
export async function loadNameable(
  reader: Reader,
  uris: readonly string[],
  usernames: readonly string[],
): Promise<KnownAccount[]> {
  return uris.length === 0 && usernames.length === 0 ? [] : loadByName(reader, { uris, usernames })
}

const loadByName = createBatchLoader<
  Reader,
  { uris: readonly string[]; usernames: readonly string[] },
  KnownAccount[]
>({
  max: 50,
  async run(reader, all) {
    const { rows } = await sql<KnownAccount>`
      select a.id, a.uri, a.username, false as local from accounts a
      where a.uri = any(${unique(all.flatMap((one) => one.uris))}::text[]) and a.domain is not null
        and a.suspended_at is null and a.deleted_at is null
      union all
      select a.id, null, a.username, true from accounts a
      where lower(a.username) = any(${unique(all.flatMap((one) => one.usernames))}::text[])
        and coalesce(a.domain, '') = '' and a.suspended_at is null and a.deleted_at is null`.execute(
      reader.db,
    )
    const remote = keyBy(
      rows.filter((row) => !row.local),
      (row) => row.uri ?? '',
    )
    const local = keyBy(
      rows.filter((row) => row.local),
      (row) => row.username.toLowerCase(),
    )
    return all.map((one) => [...pick(unique(one.uris), remote), ...pick(unique(one.usernames), local)])
  },
})

/** Whether somebody here follows one of these accounts of other servers. */
export const isAnyFollowed = createBatchLoader<Reader, readonly AccountId[], boolean>({
  max: 50,
  async run(reader, all) {
    const { rows } = await sql<{ id: AccountId }>`
      select w.id from unnest(${unique(all.flat())}::bigint[]) w (id)
      where exists (select 1 from follows f where f.target_account_id = w.id offset 0)`.execute(reader.db)
    const followed = new Set(rows.map((row) => row.id))
    return all.map((ids) => ids.some((id) => followed.has(id)))
  },
})

/** Where an account of another server lists whom it follows. */
export async function findFollowingUrl(reader: Reader, accountId: AccountId): Promise<string | null> {
  const row = await reader.db
    .selectFrom('accounts')
    .select('following_url')
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row?.following_url ?? null
}

/** A status of another server as an update of it finds it; null when it is not known, a boost, or gone. */
export interface StoredRemoteStatus extends Pick<
  Selectable<StatusesTable>,
  'id' | 'account_id' | 'reply' | 'in_reply_to_id' | 'created_at' | 'edited_at'
> {
  visibility: StatusFacts['visibility']
}

export async function findRemoteStatus(reader: Reader, uri: string): Promise<StoredRemoteStatus | null> {
  const { rows } = await sql<StoredRemoteStatus>`
    select id, account_id, visibility, reply, in_reply_to_id, created_at, edited_at from statuses
    where uri = ${uri} and not local and reblog_of_id is null and deleted_at is null`.execute(reader.db)
  return rows[0] ?? null
}

/** A status of this server's by the names in its address; of a boost what it boosts. Null when it is not there. */
export async function findLocalStatus(
  reader: Reader,
  username: string,
  id: StatusId,
): Promise<StatusId | null> {
  const { rows } = await sql<{ id: StatusId }>`
    select coalesce(s.reblog_of_id, s.id) as id from statuses s join accounts a on a.id = s.account_id
    where s.id = ${id} and s.local and s.deleted_at is null and a.domain is null
      and lower(a.username) = ${username.toLowerCase()} and a.suspended_at is null and a.deleted_at is null`.execute(
    reader.db,
  )
  return rows[0]?.id ?? null
}
