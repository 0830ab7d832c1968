import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

/** Who follows an account, or asked to, by the activity with this id; null when nobody does. */
export async function findFollowerByUri(
  reader: Reader,
  uri: string,
  targetId: AccountId,
): Promise<AccountId | null> {
  const by = sql`uri = ${uri} and target_account_id = ${targetId}`
  const { rows } = await sql<{ account_id: AccountId }>`
    select account_id from follow_requests where ${by}
    union all select account_id from follows where ${by} limit 1`.execute(reader.db)
  return rows[0]?.account_id ?? null
}
