import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { muteEndedSql } from '#domain/social/relationships/mute-policy.ts'
import { expireMutes } from '#domain/social/relationships/mute.ts'
import { mergeHome } from './merge-home.ts'
import { markListFeedsStale } from './mark-list-feeds-stale.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * Brings into the feeds of an account what its mutes kept out that are over, for whoever reads a feed before the job
 * that ends mutes has come to them. The rows go last: who reads at the same time finds them, and does the same.
 */
export async function bringBackUnmuted(ctx: Ctx, accountId: AccountId): Promise<void> {
  const { rows } = await sql<{ id: AccountId }>`
    select m.target_account_id as id from mutes m
    where m.account_id = ${accountId} and ${muteEndedSql('m', new Date(ctx.clock.now()))}`.execute(ctx.db)
  for (const { id } of rows) await mergeHome(ctx, accountId, id)
  await markListFeedsStale(ctx, accountId)
  await expireMutes(ctx, accountId)
}
