import { sql } from 'kysely'
import type { EventPace } from '#db/pace-events.ts'
import type { Ctx } from '#ports/ctx.ts'
import { removeStatuses } from '#domain/content/statuses/delete-status.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** As many events of people may wait behind one batch, which is a fraction of a second. */
const batch = 100
const eraseBatch = 500

/** Deletes all statuses and boosts of an account, with the files they carry, as if one by one. */
export async function removeStatusesOf(ctx: Ctx, accountId: AccountId, pace: EventPace): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: StatusId }>`
      select id from statuses where account_id = ${accountId} and deleted_at is null
      order by id desc limit ${batch}`.execute(ctx.db)
    if (rows.length === 0) return
    const ids = rows.map((row) => row.id)
    await ctx.transaction((tx) => removeStatuses(tx, ids, { dropMedia: true }))
    await pace()
  }
}

/**
 * Takes the words out of an account's deleted statuses, whose rows stay for a while. What an open report names stays for
 * staff to read until then.
 */
export async function eraseStatusesOf(ctx: Ctx, accountId: AccountId): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: StatusId }>`
      with written as (
        select s.id from statuses s
        where s.account_id = ${accountId} and s.deleted_at is not null
          and (s.text <> '' or s.content <> '' or s.spoiler_text <> '')
          and not exists (
            select 1 from reports r
            where r.target_account_id = ${accountId} and r.action_taken_at is null and s.id = any(r.status_ids) offset 0)
        limit ${eraseBatch}),
      earlier as (delete from status_edits where status_id in (select id from written))
      update statuses set text = '', content = '', spoiler_text = '', version = version + 1
      where id in (select id from written) returning id`.execute(ctx.db)
    if (rows.length < eraseBatch) return
  }
}
