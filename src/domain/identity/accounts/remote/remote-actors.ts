// Accounts of other servers as federation needs them: where they are reached, and what they may do here.
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Reader } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import { isBlockedHost } from '#domain/server/hosts/may-federate.ts'
import type { AccountId } from '#lib/id.ts'

export interface StoredActor {
  id: AccountId
  uri: string
  username: string
  domain: string
  inboxUrl: string
  sharedInboxUrl: string | null
  followersUrl: string | null
  /** By this server or by its own. */
  suspended: boolean
  silenced: boolean
}

/** A stored actor with what decides whether its document has to be read (again). */
export interface KnownActor {
  actor: StoredActor
  /** Deleted for good: it never comes back. */
  deleted: boolean
  /** This server has broken off with its host, or never allowed it. */
  blocked: boolean
  fetchedAt: Date | null
  triedAt: Date | null
}

/** A row of `actorColumns`. */
export type ActorRow = Pick<Selectable<AccountsTable>, (typeof actorColumnNames)[number]>

const actorColumnNames = [
  'id',
  'uri',
  'username',
  'domain',
  'inbox_url',
  'shared_inbox_url',
  'followers_url',
  'suspended_at',
  'silenced_at',
  'deleted_at',
  'fetched_at',
  'tried_at',
] as const

/** The columns of `accounts`, under the name `alias`, that make a StoredActor. */
export const actorColumns = (alias: string): RawBuilder<unknown> =>
  sql.join(actorColumnNames.map((name) => sql.ref(`${alias}.${name}`)))

/** Made of a row of `actorColumns`. */
export function toStoredActor(row: ActorRow): StoredActor {
  return {
    id: row.id,
    uri: row.uri ?? '',
    username: row.username,
    domain: row.domain ?? '',
    inboxUrl: row.inbox_url ?? '',
    sharedInboxUrl: row.shared_inbox_url,
    followersUrl: row.followers_url,
    suspended: row.suspended_at !== null,
    silenced: row.silenced_at !== null,
  }
}

/** The account of another server with this id, suspended ones too; null when it is not known, or deleted. */
export async function findRemoteActor(reader: Reader, uri: string): Promise<StoredActor | null> {
  const { rows } = await sql<ActorRow>`
    select ${actorColumns('a')} from accounts a
    where a.uri = ${uri} and a.domain is not null and a.deleted_at is null and a.inbox_url is not null`.execute(
    reader.db,
  )
  return rows[0] ? toStoredActor(rows[0]) : null
}

/** As `findRemoteActor` with all that `ensureActor` decides by, in one query; `host` is that of the uri. */
export async function findKnownActor(reader: Reader, uri: string, host: string): Promise<KnownActor | null> {
  const { rows } = await sql<ActorRow & { blocked: boolean }>`
    select ${actorColumns('a')}, ${isBlockedHost(reader, host)} as blocked from accounts a
    where a.uri = ${uri} and a.domain is not null`.execute(reader.db)
  const row = rows[0]
  if (!row || (row.inbox_url === null && row.deleted_at === null)) return null
  return {
    actor: toStoredActor(row),
    deleted: row.deleted_at !== null,
    blocked: row.blocked,
    fetchedAt: row.fetched_at,
    triedAt: row.tried_at,
  }
}

/** The accounts of other servers among these, suspended ones too, without deleted ones. */
export async function loadRemoteActors(
  reader: Reader,
  ids: readonly AccountId[],
): Promise<Map<AccountId, StoredActor>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ActorRow>`
    select ${actorColumns('a')} from accounts a
    where a.id = any(${[...new Set(ids)]}::bigint[]) and a.domain is not null and a.deleted_at is null
      and a.inbox_url is not null and a.uri is not null`.execute(reader.db)
  return keyBy(rows.map(toStoredActor), (actor) => actor.id)
}
