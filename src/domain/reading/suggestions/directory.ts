import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { presentAccount } from '#domain/identity/accounts/presence.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { notFilteredFor } from '#domain/social/relationships/rules.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId } from '#lib/id.ts'

export interface DirectoryQuery {
  /** `active`: who wrote last first. `new`: the newest accounts first. */
  order: 'active' | 'new'
  /** Only accounts of this server. */
  local: boolean
  limit: number
  offset: number
}

/** Nobody turns so many pages, and each row before an offset has to be looked at. */
const maxOffset = 10_000

/**
 * Accounts that want to be found and have written something, but for limited, suspended and moved ones and those
 * whom the viewer will not meet. Throws `not_found` when the server has no directory.
 */
export async function listDirectory(
  reader: Reader,
  viewerId: AccountId | null,
  { order, local, limit, offset }: DirectoryQuery,
): Promise<AccountId[]> {
  if (!(await getSettings(reader)).profile_directory) throw notFound()
  if (offset > maxOffset) return []
  const sorted = order === 'new' ? sql`a.id desc` : sql`t.last_status_at desc, t.account_id desc`
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a join account_stats t on t.account_id = a.id
    where a.discoverable and a.silenced_at is null and a.suspended_at is null and a.deleted_at is null
      and a.moved_to_account_id is null ${local ? sql`and a.domain is null` : sql``} and ${presentAccount('a')}
      and t.last_status_at is not null and t.statuses_count > 0 and ${notFilteredFor(viewerId, 'a', new Date(reader.clock.now()))}
    order by ${sorted} limit ${limit} offset ${offset}`.execute(reader.db)
  return rows.map((row) => row.id)
}
