// Keys with which actors sign: pairs of this server's, public keys of others.
import { sql } from 'kysely'
import type { SigningPems } from '#ports/activity-pub.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { OrNulls } from '#db/schema/types.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import {
  actorColumns,
  toStoredActor,
  type ActorRow,
  type StoredActor,
} from '#domain/identity/accounts/remote/remote-actors.ts'
import type { AccountId } from '#lib/id.ts'

export interface StoredSigningKeys {
  /** Null: the instance actor's. */
  username: string | null
  pems: SigningPems | null
}

const pemColumns = sql`k.rsa_private_pem as "rsaPrivate", k.rsa_public_pem as "rsaPublic",
  k.ed25519_private_pem as "ed25519Private", k.ed25519_public_pem as "ed25519Public"`

/** The keys of a local account, or of the instance actor (null), if it has any yet. Null for other accounts. */
export async function findSigningKeys(
  reader: Reader,
  accountId: AccountId | null,
): Promise<StoredSigningKeys | null> {
  const { rows } = await sql<OrNulls<SigningPems> & { username: string | null }>`
    select a.username, ${pemColumns}
    from (values (${accountId}::bigint)) w (account_id)
    left join accounts a on a.id = w.account_id and a.domain is null
    left join signing_keys k on k.account_id is not distinct from w.account_id
    where w.account_id is null or a.id is not null`.execute(reader.db)
  const row = rows[0]
  if (!row) return null
  const { username, ...pems } = row
  return { username, pems: pems.rsaPrivate === null ? null : pems }
}

/** Stores the first keys of an account. Of several at once one wins: read afterwards which. */
export async function insertSigningKeys(
  ctx: Ctx,
  accountId: AccountId | null,
  pems: SigningPems,
): Promise<void> {
  await sql`
    insert into signing_keys (id, account_id, rsa_private_pem, rsa_public_pem, ed25519_private_pem, ed25519_public_pem,
      created_at)
    values (${ctx.newId()}, ${accountId}, ${pems.rsaPrivate}, ${pems.rsaPublic}, ${pems.ed25519Private},
      ${pems.ed25519Public}, ${new Date(ctx.clock.now())})
    on conflict (account_id) do nothing`.execute(ctx.db)
}

/** Puts new keys in place of those that a local account has. Others hear of them by `account.updated`. */
export async function replaceSigningKeys(tx: Tx, accountId: AccountId, pems: SigningPems): Promise<void> {
  const now = new Date(tx.clock.now())
  await sql`
    insert into signing_keys (id, account_id, rsa_private_pem, rsa_public_pem, ed25519_private_pem,
      ed25519_public_pem, created_at)
    values (${tx.newId()}, ${accountId}, ${pems.rsaPrivate}, ${pems.rsaPublic}, ${pems.ed25519Private},
      ${pems.ed25519Public}, ${now})
    on conflict (account_id) do update set rsa_private_pem = excluded.rsa_private_pem,
      rsa_public_pem = excluded.rsa_public_pem, ed25519_private_pem = excluded.ed25519_private_pem,
      ed25519_public_pem = excluded.ed25519_public_pem, created_at = excluded.created_at`.execute(tx.db)
  await sql`
    update accounts set version = version + 1, updated_at = ${now} where id = ${accountId}`.execute(tx.db)
  await tx.emit({ type: 'account.updated', accountId })
}

export interface RemoteKey {
  actor: StoredActor
  pem: string
  fetchedAt: Date
}

/** The public key of an id, with its owner; or the owner's first key when the id is the owner's own. Many at once are one query. */
export const findStoredKey = createBatchLoader<Reader, string, RemoteKey | null>({ max: 50, run: findKeys })

/** Owners are found by their ids: the index of addresses, which a plan may prefer, leads to all accounts there are. */
async function findKeys(reader: Reader, keyIds: readonly string[]): Promise<(RemoteKey | null)[]> {
  const { rows } = await sql<ActorRow & { asked: string; pem: string; key_fetched_at: Date }>`
    select w.asked, found.* from unnest(${[...new Set(keyIds)]}::text[]) w (asked) cross join lateral (
      select ${actorColumns('a')}, k.pem, k.fetched_at as key_fetched_at
      from (
        select account_id, pem, fetched_at, 1 as rank, key_id from remote_keys where key_id = w.asked
        union all
        select r.account_id, r.pem, r.fetched_at, 2, r.key_id
        from accounts o join remote_keys r on r.account_id = o.id where o.uri = w.asked
      ) k
      cross join lateral (
        select o.id, o.uri, o.username, o.domain, o.inbox_url, o.shared_inbox_url, o.followers_url, o.suspended_at,
          o.silenced_at, o.deleted_at, o.fetched_at, o.tried_at
        from accounts o
        where o.id = k.account_id and o.deleted_at is null and o.inbox_url is not null and coalesce(o.uri, '') <> ''
        offset 0) a
      order by k.rank, k.key_id limit 1) found`.execute(reader.db)
  const keys = new Map(
    rows.map((row) => [
      row.asked,
      { actor: toStoredActor(row), pem: row.pem, fetchedAt: row.key_fetched_at },
    ]),
  )
  return keyIds.map((id) => keys.get(id) ?? null)
}

export interface PublishedKey {
  id: string
  pem: string
}

/**
 * Makes these the keys of an account of another server; of those in `keyIds` what is stored stays. A key that is stored as another account's stays so, unless its
 * id is below this account's own. True when the account had keys and none of them is left: its server was set up anew.
 */
export async function saveRemoteKeys(
  tx: Tx,
  account: { id: AccountId; uri: string },
  { keys, keyIds }: { keys: readonly PublishedKey[]; keyIds: readonly string[] },
): Promise<boolean> {
  const now = new Date(tx.clock.now())
  const { rows: before } = await sql<{ pem: string }>`
    select pem from remote_keys where account_id = ${account.id}`.execute(tx.db)
  const below = ['#', '/', '?'].map((mark) => account.uri + mark)
  const own = keys
    .map((key) => key.id)
    .filter((id) => id === account.uri || below.some((start) => id.startsWith(start)))
  await sql`
    delete from remote_keys where account_id = ${account.id} and key_id <> all(${[...keyIds, ...keys.map((key) => key.id)]}::text[])`.execute(
    tx.db,
  )
  await sql`
    insert into remote_keys (key_id, account_id, pem, fetched_at)
    select n.key_id, ${account.id}, n.pem, ${now}
    from unnest(${keys.map((key) => key.id)}::text[], ${keys.map((key) => key.pem)}::text[]) n (key_id, pem)
    on conflict (key_id) do update
      set account_id = excluded.account_id, pem = excluded.pem, fetched_at = excluded.fetched_at
      where remote_keys.account_id = excluded.account_id or excluded.key_id = any(${own}::text[])`.execute(
    tx.db,
  )
  const pems = new Set(keys.map((key) => key.pem))
  return keys.length > 0 && before.length > 0 && before.every(({ pem }) => !pems.has(pem))
}

/** Adds a key that an account of another server names without showing it. Another account's stays so. */
export async function addRemoteKey(reader: Reader, accountId: AccountId, key: PublishedKey): Promise<void> {
  await sql`
    insert into remote_keys (key_id, account_id, pem, fetched_at)
    values (${key.id}, ${accountId}, ${key.pem}, ${new Date(reader.clock.now())})
    on conflict (key_id) do update set pem = excluded.pem, fetched_at = excluded.fetched_at
      where remote_keys.account_id = excluded.account_id`.execute(reader.db)
}
