// The end of an account. Its row stays, emptied: its name and its id are never given to anybody else, and it never comes
// back. What it had goes by `account.deleted`: see purge-account.ts.
import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { assertPassword } from '#domain/identity/accounts/registration/reset-password.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { endAccess } from '#domain/identity/accounts/registration/end-access.ts'
import { insertTombstone } from '#domain/federation/queue/tombstones.ts'
import { abandonFiles } from '#domain/content/media/files.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId, UserId } from '#lib/id.ts'

/**
 * Deletes a local account: nobody sees it from now on, its user is signed out everywhere and can sign in no more, and
 * their address is free. Its keys stay, because other servers are yet to be told. Throws `not_found` for one that is not
 * there, or of another server.
 */
export async function deleteLocalAccount(ctx: Ctx, accountId: AccountId): Promise<void> {
  await ctx.transaction((tx) => emptyLocalAccount(tx, accountId))
}

/** `deleteLocalAccount`, together with what else belongs to it. */
export async function emptyLocalAccount(tx: Tx, accountId: AccountId): Promise<void> {
  const emptied = await emptyAccount(tx, accountId)
  if (!emptied || emptied.domain !== null) throw notFound()
  const { rows } = await sql<{ id: UserId }>`select id from users where account_id = ${accountId}`.execute(
    tx.db,
  )
  for (const { id } of rows) await endAccess(tx, id)
  await sql`delete from users where account_id = ${accountId}`.execute(tx.db)
  await tx.emit({ type: 'account.deleted', accountId })
}

/** `deleteLocalAccount` by whoever has it. Throws `invalid` for a wrong password. */
export async function deleteOwnAccount(ctx: Ctx, viewer: Viewer, password: string): Promise<void> {
  await assertPassword(ctx, viewer.userId, password)
  await deleteLocalAccount(ctx, viewer.accountId)
}

/**
 * Deletes what this server has of an account of another one, because that says that it is gone. Again, or for one that
 * is not there, or local, is fine.
 */
export async function deleteRemoteAccount(ctx: Ctx, accountId: AccountId): Promise<void> {
  await ctx.transaction((tx) => emptyRemoteAccount(tx, accountId, false))
}

/** `deleteRemoteAccount`, together with what else belongs to it. `byStaff`: its server has not said that it is gone. */
export async function emptyRemoteAccount(tx: Tx, accountId: AccountId, byStaff: boolean): Promise<void> {
  const { rows } = await sql`
    select 1 from accounts where id = ${accountId} and domain is not null`.execute(tx.db)
  const emptied = rows.length > 0 ? await emptyAccount(tx, accountId) : null
  if (!emptied) return
  if (emptied.uri !== null) await insertTombstone(tx, emptied.uri)
  await tx.emit({ type: 'account.deleted', accountId, byStaff })
}

type Emptied = Pick<
  Selectable<AccountsTable>,
  'domain' | 'uri' | 'avatar_key' | 'avatar_static_key' | 'header_key' | 'header_static_key'
>

/** Null when it is not there, or deleted already. */
async function emptyAccount(tx: Tx, id: AccountId): Promise<Emptied | null> {
  const now = new Date(tx.clock.now())
  const { rows } = await sql<Emptied>`
    with before as (
      select id, avatar_key, avatar_static_key, header_key, header_static_key from accounts
      where id = ${id} and deleted_at is null for update)
    update accounts a set deleted_at = ${now}, suspended_at = coalesce(a.suspended_at, ${now}), display_name = '',
      note = '', note_html = '', fields = '[]', avatar_key = null, avatar_static_key = null, avatar_description = '',
      avatar_remote_url = null, header_key = null, header_static_key = null, header_description = '',
      header_remote_url = null, discoverable = false, indexable = false, attribution_domains = '{}',
      also_known_as = '{}', moved_to_account_id = null, deletion_due_at = null, version = a.version + 1, updated_at = ${now}
    from before b where b.id = a.id
    returning a.domain, a.uri, b.avatar_key, b.avatar_static_key, b.header_key, b.header_static_key`.execute(
    tx.db,
  )
  const row = rows[0]
  if (!row) return null
  await abandonFiles(tx, [row.avatar_key, row.avatar_static_key, row.header_key, row.header_static_key])
  return row
}
