import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer, Visibility } from '#domain/identity/accounts/viewer.ts'
import { forbidden, notFound } from '#lib/errors.ts'
import { getVisibleOriginal, findVisibleStatus, type StatusFacts } from '../queries.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/**
 * Boosts a status, or what it boosts; again answers the first boost. Returns the id of the boost.
 * Throws `not_found` for what the viewer cannot see, `forbidden` for what may not be boosted.
 */
export async function reblogStatus(
  ctx: Ctx,
  viewer: Viewer,
  id: StatusId,
  asked?: Visibility,
): Promise<StatusId> {
  const original = await getVisibleOriginal(ctx, viewer.accountId, id)
  assertReblogable(viewer, original)
  const visibility = reblogVisibility(viewer, original, asked)
  return ctx.transaction(async (tx) => {
    const reblogId = tx.newId<StatusId>()
    if (!(await insertReblog(tx, { reblogId, accountId: viewer.accountId, original, visibility }))) {
      return findReblog(tx, viewer.accountId, original.id)
    }
    await tx.emit({ type: 'status.created', statusId: reblogId, reblogOfId: original.id })
    return reblogId
  })
}

/** Private ones by their author only, direct ones by nobody. */
function assertReblogable(viewer: Viewer, original: StatusFacts): void {
  const open = original.visibility === 'public' || original.visibility === 'unlisted'
  const own = original.visibility === 'private' && original.account_id === viewer.accountId
  if (!open && !own) throw forbidden()
}

/** A boost is never wider than what it boosts. */
function reblogVisibility(viewer: Viewer, original: StatusFacts, asked?: Visibility): Visibility {
  if (original.visibility === 'private') return 'private'
  const chosen = asked ?? viewer.settings.default_privacy ?? (viewer.locked ? 'private' : 'public')
  if (chosen === 'direct') return 'private'
  return chosen === 'public' && viewer.silenced ? 'unlisted' : chosen
}

export interface NewReblog {
  reblogId: StatusId
  accountId: AccountId
  original: Pick<StatusFacts, 'id'>
  visibility: Visibility
  /** The activity, where another server sent one, and when it says that was. */
  remote?: { uri: string; createdAt: Date }
}

/**
 * Writes a boost and counts it. False when there already is one, or the original was deleted meanwhile. It is locked: a deletion comes after, and
 * finds the boost.
 */
export async function insertReblog(
  tx: Tx,
  { reblogId, accountId, original, visibility, remote }: NewReblog,
): Promise<boolean> {
  const createdAt = remote?.createdAt ?? new Date(tx.clock.now())
  const { rows } = await sql`
    with original as (
      select id, conversation_id from statuses where id = ${original.id} and deleted_at is null
        and not exists (select 1 from statuses k where k.uri = ${remote?.uri ?? null}) for share),
    made as (
      insert into statuses (id, account_id, visibility, reblog_of_id, conversation_id, local, uri, created_at)
      select ${reblogId}, ${accountId}, ${visibility}, o.id, o.conversation_id, ${remote === undefined},
        ${remote?.uri ?? null}, ${createdAt} from original o
      on conflict (reblog_of_id, account_id) where reblog_of_id is not null and deleted_at is null do nothing
      returning reblog_of_id),
    author as (
      update account_stats set statuses_count = statuses_count + 1,
        last_status_at = greatest(last_status_at, ${createdAt})
      where account_id = ${accountId} and exists (select 1 from made)),
    home as (
      insert into home_entries (account_id, status_id, reblog_of_id)
      select hf.account_id, ${reblogId}, m.reblog_of_id from home_feeds hf, made m where hf.account_id = ${accountId})
    insert into status_stats (status_id, reblogs_count) select reblog_of_id, 1 from made
    on conflict (status_id) do update set reblogs_count = status_stats.reblogs_count + 1,
      told_reblogs_count = status_stats.told_reblogs_count + 1
    returning status_id`.execute(tx.db)
  return rows.length > 0
}

async function findReblog(tx: Tx, accountId: AccountId, originalId: StatusId): Promise<StatusId> {
  const row = await tx.db
    .selectFrom('statuses')
    .select('id')
    .where('account_id', '=', accountId)
    .where('reblog_of_id', '=', originalId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row.id
}

/** Takes a boost back. Returns the id of what was boosted; without a boost, of the visible status. */
export async function unreblogStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<StatusId> {
  const removed = await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: StatusId; reblog_of_id: StatusId }>`
      with original as (select coalesce(reblog_of_id, id) as id from statuses where id = ${id}),
      gone as (
        update statuses set deleted_at = ${new Date(tx.clock.now())}
        where account_id = ${viewer.accountId} and deleted_at is null and reblog_of_id in (select id from original)
        returning id, reblog_of_id),
      author as (
        update account_stats set statuses_count = statuses_count - 1
        where account_id = ${viewer.accountId} and exists (select 1 from gone)),
      stats as (
        update status_stats set reblogs_count = reblogs_count - 1,
          told_reblogs_count = case when told_reblogs_count > 0 then told_reblogs_count - 1 end
        where status_id in (select reblog_of_id from gone))
      select id, reblog_of_id from gone`.execute(tx.db)
    const gone = rows[0]
    if (gone) {
      const { accountId } = viewer
      await tx.emit({ type: 'status.deleted', statusId: gone.id, accountId, reblogOfId: gone.reblog_of_id })
    }
    return gone?.reblog_of_id
  })
  if (removed) return removed
  const visible = await findVisibleStatus(ctx, viewer.accountId, id)
  if (!visible) throw notFound()
  return visible.reblog_of_id ?? visible.id
}
