// Whom an account follows, or who follows it, begun anew: where this server and others disagree about it.
import { sql, type Selectable } from 'kysely'
import type { FollowsTable } from '#db/schema/relationships.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { followAccount, removeFollower, unfollowAccount } from '#domain/social/relationships/follow.ts'
import type { AccountId, IdCursor, ListId } from '#lib/id.ts'

const batch = 100

export type RelationshipSide = 'follows' | 'followers'

export interface ResetDone {
  /** Follows that were ended and asked for again, or followers that were removed. */
  reset: number
  /** Could not be followed again: they are blocked, gone, or have moved. */
  lost: number
}

type Follow = Pick<
  Selectable<FollowsTable>,
  'id' | 'account_id' | 'target_account_id' | 'show_reblogs' | 'notify' | 'languages'
>

/**
 * `follows`: unfollows everybody whom a local account follows and follows them again, with the same options and in the
 * same lists. `followers`: has nobody follow it any more. Other servers are told of each. `onDone` is called after each.
 */
export async function resetRelationships(
  ctx: Ctx,
  staff: Staff,
  accountId: AccountId,
  { side, onDone = () => {} }: { side: RelationshipSide; onDone?: () => void },
): Promise<ResetDone> {
  await record(ctx, staff, accountId, side)
  const done: ResetDone = { reset: 0, lost: 0 }
  // Those that are made meanwhile come behind.
  const end = ctx.newId()
  for (let after: IdCursor = '0'; ;) {
    const follows = await listFollows(ctx, { accountId, side, after, end })
    for (const follow of follows) {
      const isThere = await (side === 'follows' ? followAnew(ctx, follow) : dismiss(ctx, follow))
      done[isThere ? 'reset' : 'lost'] += 1
      onDone()
    }
    if (follows.length < batch) return done
    after = follows.at(-1)?.id ?? after
  }
}

async function record(ctx: Ctx, staff: Staff, accountId: AccountId, side: RelationshipSide): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ username: string }>`
      select username from accounts where id = ${accountId}`.execute(tx.db)
    const label = rows[0]?.username ?? ''
    const action = `reset_${side}`
    await recordAction(tx, staff, { action, targetType: 'account', targetId: accountId, label })
  })
}

async function listFollows(
  ctx: Ctx,
  {
    accountId,
    side,
    after,
    end,
  }: { accountId: AccountId; side: RelationshipSide; after: IdCursor; end: IdCursor },
): Promise<Follow[]> {
  const column = sql.ref(side === 'follows' ? 'account_id' : 'target_account_id')
  const { rows } = await sql<Follow>`
    select id, account_id, target_account_id, show_reblogs, notify, languages from follows
    where ${column} = ${accountId} and id > ${after} and id < ${end} order by id limit ${batch}`.execute(
    ctx.db,
  )
  return rows
}

async function followAnew(ctx: Ctx, follow: Follow): Promise<boolean> {
  const [actor, targetId] = [{ accountId: follow.account_id }, follow.target_account_id]
  const { rows: lists } = await sql<{ list_id: ListId }>`
    select list_id from list_accounts where owner_id = ${actor.accountId} and account_id = ${targetId}`.execute(
    ctx.db,
  )
  const languages = follow.languages ?? undefined
  const options = { reblogs: follow.show_reblogs, notify: follow.notify, languages }
  const isDone = await tolerate(async () => {
    await unfollowAccount(ctx, actor, targetId)
    await followAccount(ctx, actor, targetId, options)
  })
  if (isDone) for (const { list_id: listId } of lists) await putBack(ctx, listId, targetId)
  return isDone
}

async function putBack(ctx: Ctx, listId: ListId, accountId: AccountId): Promise<void> {
  await sql`
    insert into list_accounts (id, list_id, account_id, owner_id, created_at)
    select ${ctx.newId()}, id, ${accountId}, account_id, ${new Date(ctx.clock.now())} from lists where id = ${listId}
    on conflict (list_id, account_id) do nothing`.execute(ctx.db)
}

const dismiss = (ctx: Ctx, follow: Follow) =>
  tolerate(() => removeFollower(ctx, { accountId: follow.target_account_id }, follow.account_id))

/** What the rules of following refuse is no reason to stop. */
async function tolerate(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (isAppError(error)) return false
    throw error
  }
}
