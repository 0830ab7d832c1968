// Taking away what a file that overwrites does not have.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { showDomain } from '#domain/social/relationships/domain-blocks.ts'
import { unblockAccount } from '#domain/social/relationships/block.ts'
import { unfollowAccount } from '#domain/social/relationships/follow.ts'
import { unmuteAccount } from '#domain/social/relationships/mute.ts'
import { unbookmarkStatus } from '#domain/content/statuses/interactions/bookmark.ts'
import { deleteList } from '#domain/reading/lists/edit-list.ts'
import { removeFromList } from '#domain/reading/lists/members.ts'
import { listLists } from '#domain/reading/lists/queries.ts'
import { isAppError } from '#lib/errors.ts'
import type { PortableList } from './csv-formats.ts'
import type { AccountId, BulkImportId, IdCursor, ListId, StatusId } from '#lib/id.ts'

const batch = 500

interface Overwriting {
  id: BulkImportId
  type: PortableList
}

/** Ends every relation of the import's kind that its rows do not name. Again goes on where it stopped. */
export async function takeAwayOthers(ctx: Ctx, viewer: Viewer, running: Overwriting): Promise<void> {
  const { type, id } = running
  if (type === 'lists') return emptyOthers(ctx, viewer, id)
  if (type === 'domain_blocking') return showOthers(ctx, viewer, id)
  if (type === 'bookmarks') return forgetOthers(ctx, viewer, id)
  const { table, undo } = relations[type]
  for (let after = '0'; ;) {
    const { rows } = await sql<{ cursor: IdCursor; id: AccountId }>`
      select r.id as cursor, a.id from ${sql.table(table)} r join accounts a on a.id = r.target_account_id
      where r.account_id = ${viewer.accountId} and r.id > ${after}::bigint and not exists (
        select 1 from bulk_import_rows i
        where i.bulk_import_id = ${id} and i.data ->> 'acct' = lower(a.username || coalesce('@' || a.domain, '')))
      order by r.id limit ${batch}`.execute(ctx.db)
    for (const row of rows) await unlessGone(undo(ctx, viewer, row.id))
    if (rows.length < batch) return
    after = rows.at(-1)!.cursor
  }
}

/** What is away meanwhile, or belongs to an account that is, is no reason to stop. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isAppError(error, 'not_found')) throw error
  })
}

const relations = {
  following: { table: 'follows', undo: unfollowAccount },
  muting: { table: 'mutes', undo: unmuteAccount },
  blocking: { table: 'blocks', undo: unblockAccount },
} as const

/** Lists that the file does not name go; of the others those members who are not in it. */
async function emptyOthers(ctx: Ctx, viewer: Viewer, id: BulkImportId): Promise<void> {
  const { rows } = await sql<{ title: string; acct: string }>`
    select i.data ->> 'listTitle' as title, i.data ->> 'acct' as acct from bulk_import_rows i
    where i.bulk_import_id = ${id}`.execute(ctx.db)
  for (const list of await listLists(ctx, viewer.accountId)) {
    const named = rows.filter((row) => row.title === list.title).map((row) => row.acct)
    if (named.length === 0) await unlessGone(deleteList(ctx, viewer, list.id))
    else await unlessGone(removeFromList(ctx, viewer, list.id, await othersIn(ctx, list.id, named)))
  }
}

async function othersIn(ctx: Ctx, listId: ListId, named: readonly string[]): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from list_accounts m join accounts a on a.id = m.account_id
    where m.list_id = ${listId}
      and not (lower(a.username || coalesce('@' || a.domain, '')) = any(${named}::text[]))`.execute(ctx.db)
  return rows.map((row) => row.id)
}

async function showOthers(ctx: Ctx, viewer: Viewer, id: BulkImportId): Promise<void> {
  const { rows } = await sql<{ domain: string }>`
    select d.domain from account_domain_blocks d
    where d.account_id = ${viewer.accountId} and not exists (
      select 1 from bulk_import_rows i where i.bulk_import_id = ${id} and i.data ->> 'domain' = d.domain)`.execute(
    ctx.db,
  )
  for (const row of rows) await showDomain(ctx, viewer, row.domain)
}

async function forgetOthers(ctx: Ctx, viewer: Viewer, id: BulkImportId): Promise<void> {
  const { baseUrl } = ctx.config
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from bookmarks k join statuses s on s.id = k.status_id join accounts a on a.id = s.account_id
    where k.account_id = ${viewer.accountId} and not exists (
      select 1 from bulk_import_rows i where i.bulk_import_id = ${id} and i.data ->> 'uri' in (
        s.uri, s.url, ${baseUrl} || '/users/' || a.username || '/statuses/' || s.id,
        ${baseUrl} || '/@' || a.username || '/' || s.id))`.execute(ctx.db)
  for (const row of rows) await unlessGone(unbookmarkStatus(ctx, viewer, row.id))
}
