// What staff say about suggestions: some accounts are recommended to nobody.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId } from '#lib/id.ts'

export interface Recommendation {
  id: AccountId
  /** Active people of this server who follow the account, and who liked its posts lately. */
  followers: number
  fans: number
  suppressed: boolean
}

/** Accounts that are popular here, most followed first; with `suppressed` those that staff took out, latest first. */
export async function listRecommendations(
  reader: Reader,
  { suppressed, limit, offset }: { suppressed: boolean; limit: number; offset: number },
): Promise<Recommendation[]> {
  const { rows } = suppressed
    ? await sql<Recommendation>`
        select z.account_id as id, coalesce(k.followers, 0) as followers, coalesce(k.fans, 0) as fans,
          true as suppressed
        from suppressed_recommendations z left join popular_accounts k on k.account_id = z.account_id
        order by z.created_at desc, z.account_id desc limit ${limit} offset ${offset}`.execute(reader.db)
    : await sql<Recommendation>`
        select k.account_id as id, k.followers, k.fans, false as suppressed from popular_accounts k
        where not exists (
          select 1 from suppressed_recommendations z where z.account_id = k.account_id offset 0)
        order by k.followers desc, k.fans desc, k.account_id limit ${limit} offset ${offset}`.execute(
        reader.db,
      )
  return rows
}

/** Has an account suggested to nobody. Idempotent. Throws `not_found`. */
export async function suppressRecommendation(ctx: Ctx, staff: Staff, accountId: AccountId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ label: string }>`
      select concat_ws('@', username, domain) as label from accounts
      where id = ${accountId} and deleted_at is null for key share`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await sql`
      insert into suppressed_recommendations (account_id, created_at)
      values (${accountId}, ${new Date(tx.clock.now())}) on conflict do nothing`.execute(tx.db)
    const action = { action: 'suppress', targetType: 'follow_recommendation', targetId: accountId }
    await recordAction(tx, staff, { ...action, label: rows[0].label })
  })
}

/** Lets an account be suggested again. Idempotent. Throws `not_found`. */
export async function unsuppressRecommendation(ctx: Ctx, staff: Staff, accountId: AccountId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ label: string }>`
      select concat_ws('@', username, domain) as label from accounts where id = ${accountId}`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await sql`delete from suppressed_recommendations where account_id = ${accountId}`.execute(tx.db)
    const action = { action: 'unsuppress', targetType: 'follow_recommendation', targetId: accountId }
    await recordAction(tx, staff, { ...action, label: rows[0].label })
  })
}
