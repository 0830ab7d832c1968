// Boosts that people of other servers make.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Visibility } from '#domain/identity/accounts/viewer.ts'
import type { Actor } from '#domain/social/relationships/rows.ts'
import { removeStatus } from '../delete-status.ts'
import { getVisibleOriginal } from '../queries.ts'
import { insertReblog } from '../interactions/reblog.ts'
import type { StatusId } from '#lib/id.ts'

export interface RemoteReblog {
  uri: string
  originalId: StatusId
  visibility: Visibility
  createdAt: Date
  /** It is news to nobody but this server. */
  past: boolean
}

/**
 * Stores a boost by an actor of another server. Idempotent. Returns whether it is new and may be. Throws `not_found`
 * for what the actor may not see.
 */
export async function saveRemoteReblog(ctx: Ctx, actor: Actor, reblog: RemoteReblog): Promise<boolean> {
  const original = await getVisibleOriginal(ctx, actor.accountId, reblog.originalId)
  const open = original.visibility === 'public' || original.visibility === 'unlisted'
  const own = original.visibility === 'private' && original.account_id === actor.accountId
  if (!open && !own) return false
  const visibility = open ? reblog.visibility : 'private'
  const { uri, createdAt, past } = reblog
  return ctx.transaction(async (tx) => {
    const reblogId = tx.newId<StatusId>()
    const remote = { uri, createdAt }
    if (!(await insertReblog(tx, { reblogId, accountId: actor.accountId, original, visibility, remote })))
      return false
    const reblogOfId = original.id
    await tx.emit({ type: 'status.created', statusId: reblogId, reblogOfId, ...(past && { past: true }) })
    return true
  })
}

/** Takes an actor's boost back, by its own id or by that of what it boosts. Returns whether there was one. */
export async function removeReblog(
  ctx: Ctx,
  { accountId }: Actor,
  which: { reblogId: StatusId } | { originalId: StatusId },
): Promise<boolean> {
  const condition =
    'reblogId' in which ? sql`id = ${which.reblogId}` : sql`reblog_of_id = ${which.originalId}`
  const { rows } = await sql<{ id: StatusId }>`
    select id from statuses
    where ${condition} and account_id = ${accountId} and reblog_of_id is not null and deleted_at is null`.execute(
    ctx.db,
  )
  const found = rows[0]
  if (!found) return false
  await ctx.transaction((tx) => removeStatus(tx, found.id))
  return true
}
