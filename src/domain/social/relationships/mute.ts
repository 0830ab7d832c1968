import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { getAccountFacts } from '#domain/identity/accounts/queries.ts'
import { muteEndedSql } from './mute-policy.ts'
import type { Actor } from './rows.ts'
import type { AccountId, MuteId } from '#lib/id.ts'

export interface MuteOptions {
  /** Their notifications are hidden too; true by default. */
  notifications?: boolean | undefined
  /** Seconds; none or 0 is for good. */
  duration?: number | undefined
}

/** The longest a mute can be told to last, in seconds: a hundred years, well within what a date can hold. */
const maxDuration = 100 * 366 * 24 * 3600
/** Mutes that end in one transaction. */
const batch = 200

/** Mutes an account; again changes the options. Of oneself it does nothing. Throws `not_found`. */
export async function muteAccount(
  ctx: Ctx,
  actor: Actor,
  targetId: AccountId,
  options: MuteOptions = {},
): Promise<void> {
  const target = await getAccountFacts(ctx, targetId)
  if (target.id === actor.accountId) return
  const expiresAt = expiryOf(ctx, options.duration ?? 0)
  await ctx.transaction(async (tx) => {
    // One that is over and still there would be lengthened: what it no longer hides would stay.
    await sql`
      delete from mutes m where m.account_id = ${actor.accountId} and m.target_account_id = ${target.id}
        and ${muteEndedSql('m', new Date(tx.clock.now()))}`.execute(tx.db)
    const id = tx.newId()
    const { rows } = await sql<{ id: MuteId }>`
      insert into mutes (id, account_id, target_account_id, hide_notifications, expires_at, created_at)
      values (${id}, ${actor.accountId}, ${target.id}, ${options.notifications ?? true}, ${expiresAt},
        ${new Date(tx.clock.now())})
      on conflict (account_id, target_account_id) do update
        set hide_notifications = excluded.hide_notifications, expires_at = excluded.expires_at
      returning id`.execute(tx.db)
    const type = rows[0]?.id === id ? 'mute.created' : 'mute.updated'
    await tx.emit({ type, accountId: actor.accountId, targetAccountId: target.id })
  })
}

function expiryOf(ctx: Ctx, seconds: number): Date | null {
  if (seconds <= 0) return null
  return new Date(ctx.clock.now() + Math.min(seconds, maxDuration) * 1000)
}

/** Lifts a mute; fine where there is none. Throws `not_found`. */
export async function unmuteAccount(ctx: Ctx, actor: Actor, targetId: AccountId): Promise<void> {
  const target = await getAccountFacts(ctx, targetId)
  await ctx.transaction(async (tx) => {
    const gone = await tx.db
      .deleteFrom('mutes')
      .where('account_id', '=', actor.accountId)
      .where('target_account_id', '=', target.id)
      .returning('id')
      .executeTakeFirst()
    if (gone) await tx.emit({ type: 'mute.deleted', accountId: actor.accountId, targetAccountId: target.id })
  })
}

/**
 * Deletes the mutes whose time has come, of all or of one account. Nothing waits for it: they hold no longer already.
 * Returns how many.
 */
export async function expireMutes(ctx: Ctx, accountId: AccountId | null = null): Promise<number> {
  const whose = accountId === null ? sql<boolean>`true` : sql<boolean>`m.account_id = ${accountId}`
  for (let ended = 0; ;) {
    const count = await expireBatch(ctx, whose)
    ended += count
    if (count < batch) return ended
  }
}

async function expireBatch(ctx: Ctx, whose: RawBuilder<boolean>): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ accountId: AccountId; targetAccountId: AccountId }>`
      delete from mutes where id = any(array(
        select m.id from mutes m where ${whose} and ${muteEndedSql('m', new Date(tx.clock.now()))}
        order by m.expires_at limit ${batch} for update skip locked))
      returning account_id as "accountId", target_account_id as "targetAccountId"`.execute(tx.db)
    for (const pair of rows) await tx.emit({ type: 'mute.deleted', ...pair })
    return rows.length
  })
}
