// Everything that a deleted account had, removed in steps that block nobody. Each can be done again, and goes on where
// it was left.
import { sql } from 'kysely'
import { createEventPace } from '#db/pace-events.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { endFollowsOf } from './end-follows.ts'
import { removeMarksOf } from './remove-marks.ts'
import { eraseStatusesOf, removeStatusesOf } from './remove-statuses.ts'
import type { AccountId } from '#lib/id.ts'

const batch = 1000

/** Removes what a deleted account had. Nothing for one that is not deleted. Safe to run again. */
export async function purgeAccount(ctx: Ctx, accountId: AccountId): Promise<void> {
  if (!(await isDeleted(ctx, accountId))) return
  const pace = createEventPace(ctx)
  await endFollowsOf(ctx, accountId, pace)
  await removeStatusesOf(ctx, accountId, pace)
  await eraseStatusesOf(ctx, accountId)
  await removeMarksOf(ctx, accountId)
  for (const [table, columns] of belongings) {
    for (const column of columns) await deleteRows(ctx, { table, column, accountId })
  }
  await ctx.transaction(async (tx) => {
    await sql`
      update account_stats set followers_count = 0, following_count = 0, statuses_count = 0, last_status_at = null
      where account_id = ${accountId}`.execute(tx.db)
    await sql`
      update accounts set moved_to_account_id = null, version = version + 1
      where moved_to_account_id = ${accountId}`.execute(tx.db)
    await tx.emit({ type: 'files.abandoned' })
  })
}

async function isDeleted(reader: Reader, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts where id = ${accountId} and deleted_at is not null`.execute(reader.db)
  return rows.length > 0
}

/** What goes without further ado: tables, and their columns that name whose a row is. */
export const belongings: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['account_aliases', ['account_id']],
  ['account_conversations', ['account_id']],
  ['account_domain_blocks', ['account_id']],
  ['account_limit_ends', ['account_id']],
  ['account_migrations', ['account_id']],
  ['account_notes', ['account_id', 'target_account_id']],
  ['account_severances', ['account_id']],
  ['announcement_dismissals', ['account_id']],
  ['announcement_reactions', ['account_id']],
  ['annual_reports', ['account_id']],
  ['appeals', ['account_id']],
  ['backups', ['account_id']],
  ['blocks', ['account_id', 'target_account_id']],
  ['bookmarks', ['account_id']],
  ['bulk_imports', ['account_id']],
  ['collection_items', ['account_id']],
  ['collections', ['account_id']],
  ['conversation_mutes', ['account_id']],
  ['drafts', ['account_id']],
  ['endorsements', ['account_id', 'target_account_id']],
  ['featured_tags', ['account_id']],
  ['filters', ['account_id']],
  ['held_posts', ['account_id']],
  ['home_entries', ['account_id']],
  ['home_feeds', ['account_id']],
  ['idempotency_keys', ['account_id']],
  ['imported_statuses', ['account_id']],
  ['incoming_activities', ['signer_id']],
  ['invites', ['account_id']],
  ['list_accounts', ['account_id']],
  ['list_feeds', ['account_id']],
  ['lists', ['account_id']],
  ['markers', ['account_id']],
  ['media_attachments', ['account_id']],
  ['moderation_notes', ['target_account_id']],
  ['mutes', ['account_id', 'target_account_id']],
  ['notification_permissions', ['account_id', 'from_account_id']],
  ['notification_policies', ['account_id']],
  ['notification_requests', ['account_id', 'from_account_id']],
  ['notifications', ['account_id', 'from_account_id']],
  ['poll_votes', ['account_id']],
  ['polls', ['account_id']],
  ['popular_accounts', ['account_id']],
  ['remote_keys', ['account_id']],
  ['scheduled_statuses', ['account_id']],
  ['severed_follows', ['account_id']],
  ['spam_hits', ['account_id']],
  ['status_deletion_policies', ['account_id']],
  ['status_pins', ['account_id']],
  ['status_trends', ['account_id']],
  ['suggestion_dismissals', ['account_id', 'target_account_id']],
  ['suppressed_recommendations', ['account_id']],
  ['tag_follows', ['account_id']],
  ['web_push_subscriptions', ['account_id']],
]

async function deleteRows(
  ctx: Ctx,
  { table, column, accountId }: { table: string; column: string; accountId: AccountId },
): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(column)} = ${accountId} limit ${batch}))
      returning 1 as gone`.execute(ctx.db)
    if (rows.length < batch) return
  }
}
