import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { Reader } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import { presentAccount } from '#domain/identity/accounts/queries.ts'
import { muteHoldsSql } from './mute-policy.ts'
import type { AccountId } from '#lib/id.ts'

/** How one account stands to another. It does not say whether the other blocks it: nobody is told. */
export interface Relation {
  id: AccountId
  following: boolean
  requested: boolean
  followed_by: boolean
  requested_by: boolean
  showing_reblogs: boolean
  notifying: boolean
  languages: string[] | null
  blocking: boolean
  muting: boolean
  muting_notifications: boolean
  muting_expires_at: Date | null
  domain_blocking: boolean
  endorsed: boolean
  note: string
}

/**
 * How an account stands to each of `ids`, by one query whatever their number. Missing accounts are left out, and
 * suspended ones unless asked for. What most people have none of is asked once for the whole statement first.
 */
export async function loadRelations(
  reader: Reader,
  accountId: AccountId,
  ids: readonly AccountId[],
  options: { withSuspended?: boolean | undefined } = {},
): Promise<Map<AccountId, Relation>> {
  if (ids.length === 0) return new Map()
  const ask = options.withSuspended ? askOfAll : askOfAvailable
  const { rows } = await ask(reader.db, accountId, [...new Set(ids)], new Date(reader.clock.now()))
  return keyBy(rows, (row) => row.id)
}

const askOfAvailable = keepRelations(sql`a.suspended_at is null`)
const askOfAll = keepRelations(sql`true`)

function keepRelations(available: RawBuilder<unknown>) {
  return keepStatement(
    (db: QueryExecutorProvider, accountId: AccountId, ids: readonly AccountId[], now: Date) =>
      sql<Relation>`
    select a.id, f.id is not null as following, r.id is not null as requested,
      exists (select 1 from follows i where i.account_id = a.id and i.target_account_id = ${accountId} offset 0) as followed_by,
      (exists (select 1 from follow_requests ni where ni.target_account_id = ${accountId})
        and exists (select 1 from follow_requests i where i.account_id = a.id and i.target_account_id = ${accountId} offset 0)) as requested_by,
      coalesce(f.show_reblogs, r.show_reblogs, false) as showing_reblogs,
      coalesce(f.notify, r.notify, false) as notifying,
      case when f.id is null then r.languages else f.languages end as languages,
      (exists (select 1 from blocks nb where nb.account_id = ${accountId})
        and exists (select 1 from blocks b where b.account_id = ${accountId} and b.target_account_id = a.id offset 0)) as blocking,
      m.id is not null as muting, coalesce(m.hide_notifications, false) as muting_notifications,
      m.expires_at as muting_expires_at,
      (a.domain is not null
        and exists (select 1 from account_domain_blocks d where d.account_id = ${accountId} and d.domain = a.domain offset 0)) as domain_blocking,
      (exists (select 1 from endorsements ne where ne.account_id = ${accountId})
        and exists (select 1 from endorsements e where e.account_id = ${accountId} and e.target_account_id = a.id offset 0)) as endorsed,
      coalesce(n.comment, '') as note
    from accounts a
    left join follows f on f.account_id = ${accountId} and f.target_account_id = a.id
    left join follow_requests r on r.account_id = ${accountId} and r.target_account_id = a.id
    left join mutes m on m.account_id = ${accountId} and m.target_account_id = a.id
      and ${muteHoldsSql('m', now)}
    left join account_notes n on n.account_id = ${accountId} and n.target_account_id = a.id
    where a.id = any(${ids}::bigint[]) and ${presentAccount('a')} and ${available}`.execute(db),
  )
}

type Table = 'follows' | 'blocks'

async function holds(
  reader: Reader,
  table: Table,
  accountId: AccountId,
  targetId: AccountId,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(table)} where account_id = ${accountId} and target_account_id = ${targetId}`.execute(
    reader.db,
  )
  return rows.length > 0
}

export const isFollowing = (reader: Reader, accountId: AccountId, targetId: AccountId) =>
  holds(reader, 'follows', accountId, targetId)
export const isBlocking = (reader: Reader, accountId: AccountId, targetId: AccountId) =>
  holds(reader, 'blocks', accountId, targetId)

/** Whether there is a follow or a request: following again then only changes options. */
export async function hasFollowOrRequest(
  reader: Reader,
  accountId: AccountId,
  targetId: AccountId,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from follows where account_id = ${accountId} and target_account_id = ${targetId}
    union all
    select 1 from follow_requests where account_id = ${accountId} and target_account_id = ${targetId}`.execute(
    reader.db,
  )
  return rows.length > 0
}
