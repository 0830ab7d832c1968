// The end of what is known here of an account of another server, without a trace: it may come again.
import { sql } from 'kysely'
import type { EventPace } from '#db/pace-events.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { abandonFiles } from '#domain/content/media/files.ts'
import type { AccountFiles } from '#domain/identity/accounts/profile/account-files.ts'
import { endFollowsOf } from './end-follows.ts'
import { removeMarksOf } from './remove-marks.ts'
import { removeStatusesOf } from './remove-statuses.ts'
import type { AccountId } from '#lib/id.ts'

/** Removes an account of another server with all that it had. Nothing for one of this server. Safe to run again. */
export async function removeRemoteAccount(ctx: Ctx, id: AccountId, pace: EventPace): Promise<void> {
  await endFollowsOf(ctx, id, pace)
  await removeStatusesOf(ctx, id, pace)
  await removeMarksOf(ctx, id)
  await ctx.transaction((tx) => removeAccountRow(tx, id))
}

/** Removes the row of an account of another server. All that is left of it goes along. */
async function removeAccountRow(tx: Tx, id: AccountId): Promise<void> {
  await sql`
    update accounts set moved_to_account_id = null, version = version + 1 where moved_to_account_id = ${id}`.execute(
    tx.db,
  )
  await sql`
    update statuses set in_reply_to_id = null, version = version + 1
    where in_reply_to_id in (select id from statuses where account_id = ${id}) and account_id <> ${id}`.execute(
    tx.db,
  )
  const { rows } = await sql<AccountFiles>`
    delete from accounts where id = ${id} and domain is not null
    returning avatar_key, avatar_static_key, header_key, header_static_key`.execute(tx.db)
  await abandonFiles(
    tx,
    rows.flatMap((row) => Object.values(row)),
  )
  await tx.emit({ type: 'files.abandoned' })
}
