import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { invalid, notFound } from '#lib/errors.ts'
import type { Actor } from '#domain/social/relationships/rows.ts'
import { markHomeFeedStale, markListFeedStale } from './mark-stale.ts'
import type { ListFacts } from './queries.ts'
import { checkList, maxLists, type ListChanges, type ListInput } from './rules.ts'
import type { AccountId, ListId } from '#lib/id.ts'

const columns = sql`id, title, replies_policy, exclusive`

/** Makes an empty list. Throws `invalid` for what it may not be called, and past the limit. */
export async function createList(ctx: Ctx, owner: Actor, input: ListInput): Promise<ListFacts> {
  const list = checkList({ ...input, title: input.title ?? '' })
  return ctx.transaction(async (tx) => {
    await assertRoom(tx, owner.accountId)
    const { rows } = await sql<ListFacts>`
      insert into lists (id, account_id, title, replies_policy, exclusive, created_at)
      values (${tx.newId()}, ${owner.accountId}, ${list.title}, ${list.repliesPolicy ?? 'list'},
        ${list.exclusive ?? false}, ${new Date(tx.clock.now())})
      returning ${columns}`.execute(tx.db)
    return rows[0] as ListFacts
  })
}

/** The account's row is locked: two at once must not pass the limit together. */
async function assertRoom(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
  const { rows } = await sql`select 1 from lists where account_id = ${accountId} limit ${maxLists}`.execute(
    tx.db,
  )
  if (rows.length >= maxLists) {
    throw invalid('base', 'too_many_lists')
  }
}

/** Changes what is given. Throws `not_found` for what is not the owner's, and `invalid`. */
export async function updateList(ctx: Ctx, owner: Actor, id: ListId, input: ListInput): Promise<ListFacts> {
  const changes = checkList(input)
  return ctx.transaction(async (tx) => {
    const before = await lockList(tx, owner.accountId, id)
    const after = await writeList(tx, id, changes)
    if (before.replies_policy !== after.replies_policy) await markListFeedStale(tx, id)
    if (before.exclusive !== after.exclusive) await markHomeFeedStale(tx, owner.accountId)
    return after
  })
}

async function writeList(tx: Tx, id: ListId, changes: ListChanges): Promise<ListFacts> {
  const { rows } = await sql<ListFacts>`
    update lists set title = coalesce(${changes.title ?? null}::text, title),
      replies_policy = coalesce(${changes.repliesPolicy ?? null}::text, replies_policy),
      exclusive = coalesce(${changes.exclusive ?? null}::boolean, exclusive)
    where id = ${id} returning ${columns}`.execute(tx.db)
  return rows[0] as ListFacts
}

/** Deletes a list with its feed. Throws `not_found` for what is not the owner's. */
export async function deleteList(ctx: Ctx, owner: Actor, id: ListId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const list = await lockList(tx, owner.accountId, id)
    await sql`
      with feed as (delete from list_feeds where list_id = ${id}),
      entries as (delete from list_entries where list_id = ${id})
      delete from lists where id = ${id}`.execute(tx.db)
    if (list.exclusive) await markHomeFeedStale(tx, owner.accountId)
  })
}

/** The owner's list, locked until the transaction ends. Throws `not_found`. */
export async function lockList(tx: Tx, accountId: AccountId, id: ListId): Promise<ListFacts> {
  const { rows } = await sql<ListFacts>`
    select ${columns} from lists where id = ${id} and account_id = ${accountId} for no key update`.execute(
    tx.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}
