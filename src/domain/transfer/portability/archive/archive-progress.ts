// How far the making of an archive is, for whoever waits for it.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId, BackupId } from '#lib/id.ts'

/** Posts or files after which it is written down. */
const step = 50

export interface Progress {
  /** Posts of the account. */
  readonly statuses: number
  /** The same items, each of which counts once the next one is asked for. */
  count<T>(items: AsyncIterable<T>): AsyncGenerator<T>
}

/** Begins anew to count what goes into an archive: posts, and files. */
export async function createProgress(
  ctx: Ctx,
  { id, account_id: accountId }: { id: BackupId; account_id: AccountId },
): Promise<Progress> {
  const { rows } = await sql<{ statuses: number }>`
    with counted as (
      select coalesce((select statuses_count from account_stats where account_id = ${accountId}), 0) as statuses,
        (select count(*)::int from media_attachments
          where account_id = ${accountId} and original_key is not null
            and (status_id is not null or draft_id is not null)) as files)
    update backups b set processed_items = 0, total_items = c.statuses + c.files
    from counted c where b.id = ${id} returning c.statuses`.execute(ctx.db)
  let done = 0
  return {
    statuses: rows[0]?.statuses ?? 0,
    async *count(items) {
      for await (const item of items) {
        yield item
        done += 1
        if (done % step === 0)
          await sql`
            update backups set processed_items = least(${done}::int, total_items) where id = ${id}`.execute(
            ctx.db,
          )
      }
    },
  }
}
