import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { readHandle } from '#domain/identity/accounts/lookup.ts'
import { findAccountByHandle } from '#domain/identity/accounts/queries.ts'
import { createList } from '#domain/reading/lists/edit-list.ts'
import { addToList } from '#domain/reading/lists/members.ts'
import { listLists, listListsWith } from '#domain/reading/lists/queries.ts'
import { blockAccount } from '#domain/social/relationships/block.ts'
import { hideDomain } from '#domain/social/relationships/domain-blocks.ts'
import { followAccount } from '#domain/social/relationships/follow.ts'
import { hasFollowOrRequest } from '#domain/social/relationships/queries.ts'
import { muteAccount } from '#domain/social/relationships/mute.ts'
import { readStatusUrl } from '#domain/reading/search/read-status-url.ts'
import { bookmarkStatus } from '#domain/content/statuses/interactions/bookmark.ts'
import { notFound } from '#lib/errors.ts'
import type { PortableList, PortableRow } from './csv-formats.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** Does what one row says. Idempotent. Throws AppError when it cannot be done. */
export async function applyRow(
  ctx: Ctx,
  viewer: Viewer,
  type: PortableList,
  row: PortableRow,
): Promise<void> {
  if (type === 'domain_blocking') return hideDomain(ctx, viewer, row.domain)
  if (type === 'bookmarks') {
    await bookmarkStatus(ctx, viewer, await findStatus(ctx, row.uri ?? ''))
    return
  }
  const targetId = await findTarget(ctx, row.acct ?? '')
  if (type === 'blocking') return blockAccount(ctx, viewer, targetId)
  if (type === 'muting') {
    return muteAccount(ctx, viewer, targetId, { notifications: row.hideNotifications ?? true })
  }
  if (type === 'following') return follow(ctx, viewer, targetId, row)
  return enlist(ctx, viewer, targetId, row.listTitle ?? '')
}

/** Only people one follows can be in a list, so they are followed first, as Mastodon does. */
async function enlist(ctx: Ctx, viewer: Viewer, targetId: AccountId, title: string): Promise<void> {
  const { accountId } = viewer
  const list = (await listLists(ctx, accountId)).find((one) => one.title === title)
  const known = await listListsWith(ctx, accountId, targetId)
  if (known.some((one) => one.id === list?.id)) return
  if (targetId !== accountId && !(await hasFollowOrRequest(ctx, accountId, targetId))) {
    await followAccount(ctx, viewer, targetId)
  }
  const { id } = list ?? (await createList(ctx, viewer, { title }))
  await addToList(ctx, viewer, id, [targetId])
}

async function follow(ctx: Ctx, viewer: Viewer, targetId: AccountId, row: PortableRow): Promise<void> {
  await followAccount(ctx, viewer, targetId, {
    reblogs: row.showReblogs,
    notify: row.notify,
    languages: row.languages,
  })
}

/** Who is not known here is asked for at their server. */
async function findTarget(ctx: Ctx, acct: string): Promise<AccountId> {
  const handle = readHandle(ctx.config, acct)
  const known = handle && (await findAccountByHandle(ctx, handle.username, handle.domain))
  if (known) return known.id
  const found = handle?.domain ? await ctx.remote.findAccount(handle.username, handle.domain) : null
  if (found === null) throw notFound('account_unknown_here')
  return found
}

async function findStatus(ctx: Ctx, uri: string): Promise<StatusId> {
  const local = readStatusUrl(ctx.config, uri)
  if (local) return local
  const { rows } = await sql<{ id: StatusId }>`
    select id from statuses where uri = ${uri} and deleted_at is null`.execute(ctx.db)
  if (rows[0]) return rows[0].id
  const found = await ctx.remote.findByUrl(uri)
  if (found?.kind !== 'status') throw notFound('post_unknown_here')
  return found.id
}
