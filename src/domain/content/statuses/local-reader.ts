import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { visibleTo } from './visibility.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** Somebody of this server who may see a status: whom it names, or a follower of its author. Null when nobody may. */
export async function findLocalReader(reader: Reader, statusId: StatusId): Promise<AccountId | null> {
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from statuses s
    cross join lateral (
      (select l.id from mentions m join accounts l on l.id = m.account_id and l.domain is null
        where m.status_id = s.id limit 50)
      union all (
        select l.id from follows f join accounts l on l.id = f.account_id and l.domain is null
        where f.target_account_id = s.account_id limit 50)) c
    join accounts a on a.id = c.id
    where s.id = ${statusId} and a.suspended_at is null and a.deleted_at is null
      and ${visibleTo(sql<AccountId>`a.id`, 's')}
    limit 1`.execute(reader.db)
  return rows[0]?.id ?? null
}
