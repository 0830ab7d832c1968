import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** Names accounts of other servers in a stored status of another server. Nobody is told. Idempotent. */
export async function addMentions(
  ctx: Ctx,
  statusId: StatusId,
  accountIds: readonly AccountId[],
): Promise<void> {
  if (accountIds.length === 0) return
  await sql`
    with named as (
      insert into mentions (status_id, account_id, silent)
      select s.id, a.id, false from statuses s join accounts a on a.id = any(${accountIds}::bigint[])
      where s.id = ${statusId} and not s.local and s.deleted_at is null and a.domain is not null
      on conflict (status_id, account_id) do update set silent = false where mentions.silent
      returning status_id)
    update statuses set version = version + 1 where id in (select status_id from named)`.execute(ctx.db)
}
