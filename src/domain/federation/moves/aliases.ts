// Accounts that a person says are theirs too, so that those can move here.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import { invalid, notFound, tooMany } from '#lib/errors.ts'
import { readHandle } from '#domain/identity/accounts/lookup.ts'
import { mayLookUp } from '#domain/server/hosts/look-ups.ts'
import { actorUri } from '#domain/server/instance/urls.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { AccountAliasId, AccountId } from '#lib/id.ts'

const maxAliases = 50

export interface AliasRow {
  id: AccountAliasId
  acct: string
  uri: string
}

/** An account as moves name it, of this server or another one. */
export interface Endpoint {
  id: AccountId
  uri: string
  acct: string
  suspended: boolean
  moved: boolean
  aliases: readonly string[]
}

export async function listAliases(reader: Reader, accountId: AccountId): Promise<AliasRow[]> {
  const { rows } = await sql<AliasRow>`
    select id, acct, uri from account_aliases where account_id = ${accountId} order by id`.execute(reader.db)
  return rows
}

/** Says that the account of a handle is the viewer's too. Idempotent. Throws `invalid` for one that is not found. */
export async function addAlias(ctx: Ctx, viewer: Viewer, handle: string): Promise<void> {
  const other = await findEndpoint(ctx, viewer.accountId, handle)
  if (!other || other.id === viewer.accountId) throw invalid('base', 'account_not_found')
  if ((await listAliases(ctx, viewer.accountId)).length >= maxAliases)
    throw invalid('base', 'too_many_aliases', { max: maxAliases })
  await ctx.transaction((tx) => insertAlias(tx, viewer.accountId, other))
}

/** Writes down that another account is somebody's too, and shows it. Idempotent. */
export async function insertAlias(
  tx: Tx,
  accountId: AccountId,
  { acct, uri }: { acct: string; uri: string },
): Promise<void> {
  await sql`
    insert into account_aliases (id, account_id, acct, uri, created_at)
    values (${tx.newId()}, ${accountId}, ${acct}, ${uri}, ${new Date(tx.clock.now())})
    on conflict (account_id, uri) do nothing`.execute(tx.db)
  await showAliases(tx, accountId)
}

/** Throws `not_found`. */
export async function removeAlias(ctx: Ctx, viewer: Viewer, id: AccountAliasId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      delete from account_aliases where id = ${id} and account_id = ${viewer.accountId} returning id`.execute(
      tx.db,
    )
    if (rows.length === 0) throw notFound()
    await showAliases(tx, viewer.accountId)
  })
}

/** What the actor tells of it. */
async function showAliases(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`
    update accounts set version = version + 1, updated_at = ${new Date(tx.clock.now())}, also_known_as = coalesce(
      (select array_agg(uri order by id) from account_aliases where account_id = ${accountId}), '{}')
    where id = ${accountId}`.execute(tx.db)
  await tx.emit({ type: 'account.updated', accountId })
}

/**
 * The account of a handle, its server asked anew where it is another one; null when there is none. Throws `too_many` when
 * the person has had too much looked up of late.
 */
export async function findEndpoint(ctx: Ctx, viewerId: AccountId, text: string): Promise<Endpoint | null> {
  const handle = readHandle(ctx.config, text)
  if (!handle) return null
  const { username, domain } = handle
  if (domain !== null && !(await mayLookUp(ctx, viewerId))) throw tooMany()
  const found = domain === null ? null : await ctx.remote.findAccount(username, domain)
  if (found !== null) await ctx.remote.refreshAccount(found, { anew: true })
  const { rows } = await sql<{
    id: AccountId
    uri: string | null
    username: string
    domain: string | null
    suspended: boolean
    moved: boolean
    also_known_as: string[]
  }>`
    select a.id, a.uri, a.username, a.domain, a.suspended_at is not null as suspended,
      a.moved_to_account_id is not null as moved, a.also_known_as
    from accounts a
    where a.deleted_at is null and case when ${domain}::text is null
      then lower(a.username) = lower(${username}) and coalesce(a.domain, '') = '' else a.id = ${found}::bigint end`.execute(
    ctx.db,
  )
  const row = rows[0]
  if (!row) return null
  return {
    id: row.id,
    uri: row.uri ?? actorUri(ctx.config, row.username),
    acct: formatAcct(row.username, row.domain),
    suspended: row.suspended,
    moved: row.moved,
    aliases: row.also_known_as,
  }
}
