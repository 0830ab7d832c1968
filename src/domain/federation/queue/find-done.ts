// What an actor of another server did here, by the id of the activity.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { AccountId, StatusId, StatusReactionId } from '#lib/id.ts'

/**
 * `id`: of the status that was favourited, of the reaction or boost itself, of the account that was followed (or asked
 * to be) or blocked.
 */
export type Done =
  | { kind: 'favourite'; id: StatusId }
  | { kind: 'reblog'; id: StatusId }
  | { kind: 'reaction'; id: StatusReactionId }
  | { kind: 'follow'; id: AccountId }
  | { kind: 'block'; id: AccountId }

/** What this account, and nobody else, did by this activity. */
export async function findDoneByUri(reader: Reader, accountId: AccountId, uri: string): Promise<Done | null> {
  const by = sql`account_id = ${accountId} and uri = ${uri}`
  const { rows } = await sql<Done>`
    select 'favourite' as kind, status_id as id from favourites where ${by}
    union all select 'reaction', id from status_reactions where ${by}
    union all select 'reblog', id from statuses where ${by} and reblog_of_id is not null and deleted_at is null
    union all select 'follow', target_account_id from follows where ${by}
    union all select 'follow', target_account_id from follow_requests where ${by}
    union all select 'block', target_account_id from blocks where ${by}
    limit 1`.execute(reader.db)
  return rows[0] ?? null
}
