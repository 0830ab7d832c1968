// What people of this server had with an account that moved goes to where it moved.
import { sql, type Selectable } from 'kysely'
import type { FollowsTable } from '#db/schema/relationships.ts'
import { createEventPace } from '#db/pace-events.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import { blockAccount } from '#domain/social/relationships/block.ts'
import { followAccount, unfollowAccount } from '#domain/social/relationships/follow.ts'
import { muteHoldsSql } from '#domain/social/relationships/mute-policy.ts'
import { muteAccount } from '#domain/social/relationships/mute.ts'
import type { AccountId, IdCursor, ListId } from '#lib/id.ts'

const batch = 100

type Follow = Pick<Selectable<FollowsTable>, 'id' | 'account_id' | 'show_reblogs' | 'notify' | 'languages'>

/**
 * Makes local followers of `from` follow `to` with the same options and in the same lists, and copies blocks, mutes and
 * notes. Safe to run again: what is done is not there any more. Who may not follow the new account keeps the old one.
 */
export async function moveFollowers(ctx: Ctx, from: AccountId, to: AccountId): Promise<void> {
  await copyNotes(ctx, from, to)
  await carryProtection(ctx, from, to)
  const pace = createEventPace(ctx)
  let after: IdCursor = '0'
  for (;;) {
    const follows = await nextFollows(ctx, from, after)
    for (const follow of follows) {
      after = follow.id
      await tolerate(() => carryFollow(ctx, follow, from, to))
    }
    if (follows.length < batch) return
    await pace()
  }
}

/** Copies blocks and mutes that people of this server have of `from`, but for those who follow `to`. Safe to run again. */
export async function carryProtection(ctx: Ctx, from: AccountId, to: AccountId): Promise<void> {
  await repeatFor(await holders(ctx, 'blocks', from, to), (accountId) => blockAccount(ctx, { accountId }, to))
  await repeatFor(await holders(ctx, 'mutes', from, to), (accountId) => copyMute(ctx, accountId, from, to))
}

async function nextFollows(ctx: Ctx, from: AccountId, after: IdCursor): Promise<Follow[]> {
  const { rows } = await sql<Follow>`
    select f.id, f.account_id, f.show_reblogs, f.notify, f.languages
    from follows f join accounts a on a.id = f.account_id
    where f.target_account_id = ${from} and f.id > ${after} and a.domain is null
    order by f.id limit ${batch}`.execute(ctx.db)
  return rows
}

async function carryFollow(ctx: Ctx, follow: Follow, from: AccountId, to: AccountId): Promise<void> {
  const actor = { accountId: follow.account_id }
  if (follow.account_id !== to) {
    const languages = follow.languages ?? undefined
    await followAccount(ctx, actor, to, {
      reblogs: follow.show_reblogs,
      notify: follow.notify,
      ...(languages && { languages }),
    })
    await copyLists(ctx, follow.account_id, from, to)
  }
  await unfollowAccount(ctx, actor, from)
}

async function copyLists(ctx: Ctx, ownerId: AccountId, from: AccountId, to: AccountId): Promise<void> {
  const { rows } = await sql<{ list_id: ListId }>`
    select list_id from list_accounts where owner_id = ${ownerId} and account_id = ${from}`.execute(ctx.db)
  for (const { list_id } of rows) {
    await sql`
      insert into list_accounts (id, list_id, account_id, owner_id, created_at)
      values (${ctx.newId()}, ${list_id}, ${to}, ${ownerId}, ${new Date(ctx.clock.now())})
      on conflict (list_id, account_id) do nothing`.execute(ctx.db)
  }
}

/** Those who chose to follow the new account already do not lose it. */
async function holders(
  ctx: Ctx,
  table: 'blocks' | 'mutes',
  from: AccountId,
  to: AccountId,
): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select r.account_id from ${sql.table(table)} r join accounts a on a.id = r.account_id
    where r.target_account_id = ${from} and a.domain is null and not exists (
      select 1 from follows f where f.account_id = r.account_id and f.target_account_id = ${to} offset 0)
    order by r.account_id`.execute(ctx.db)
  return rows.map((row) => row.account_id)
}

async function copyMute(ctx: Ctx, accountId: AccountId, from: AccountId, to: AccountId): Promise<void> {
  const { rows } = await sql<{ hide_notifications: boolean; expires_at: Date | null }>`
    select hide_notifications, expires_at from mutes m
    where m.account_id = ${accountId} and m.target_account_id = ${from}
      and ${muteHoldsSql('m', new Date(ctx.clock.now()))}`.execute(ctx.db)
  const mute = rows[0]
  if (!mute) return
  const left = mute.expires_at === null ? 0 : Math.ceil((mute.expires_at.getTime() - ctx.clock.now()) / 1000)
  // It has just come to its end; none at all would be for ever.
  if (mute.expires_at !== null && left <= 0) return
  await muteAccount(ctx, { accountId }, to, { notifications: mute.hide_notifications, duration: left })
}

/** Notes that people wrote for themselves; what they wrote of the new account stays. */
async function copyNotes(ctx: Ctx, from: AccountId, to: AccountId): Promise<void> {
  await sql`
    insert into account_notes (account_id, target_account_id, comment, updated_at)
    select account_id, ${to}, comment, ${new Date(ctx.clock.now())} from account_notes
    where target_account_id = ${from} and account_id <> ${to}
    on conflict do nothing`.execute(ctx.db)
}

async function repeatFor(ids: readonly AccountId[], act: (id: AccountId) => Promise<unknown>): Promise<void> {
  for (const id of ids) await tolerate(() => act(id))
}

/** One who may not, or is gone meanwhile, does not keep the others. */
async function tolerate(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isAppError(error)) throw error
  }
}
