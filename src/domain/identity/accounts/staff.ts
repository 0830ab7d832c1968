// Whom staff may act on.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { forbidden } from '#lib/errors.ts'
import type { Viewer } from './viewer.ts'
import type { AccountId } from '#lib/id.ts'

/** Staff as commands take them: somebody with a role, the command line, or a rule of the server's. */
export type ActingStaff = Viewer | 'operator' | 'server'

/** The rank of those without a role, and of accounts of other servers. */
const lowestRank = -1

/**
 * Throws `forbidden` unless the role of `staff` stands above that of the account: nobody acts on their equals, on those
 * above them, or on themselves. The command line and rules of the server stand above all.
 */
export async function assertOutranks(
  reader: Reader,
  staff: ActingStaff,
  accountId: AccountId,
): Promise<void> {
  if (typeof staff === 'string') return
  const { rows } = await sql<{ rank: number }>`
    select r.position as rank from users u join roles r on r.id = u.role_id where u.account_id = ${accountId}`.execute(
    reader.db,
  )
  if (staff.rank <= (rows[0]?.rank ?? lowestRank) || staff.accountId === accountId) throw forbidden()
}

/** Those of the accounts on which `staff` may act, as `assertOutranks` says of each. */
export async function filterOutranked(
  reader: Reader,
  staff: Viewer,
  accountIds: readonly AccountId[],
): Promise<Set<AccountId>> {
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a left join users u on u.account_id = a.id left join roles r on r.id = u.role_id
    where a.id = any(${accountIds}::bigint[]) and a.id <> ${staff.accountId}
      and coalesce(r.position, ${lowestRank}) < ${staff.rank}`.execute(reader.db)
  return new Set(rows.map((row) => row.id))
}
