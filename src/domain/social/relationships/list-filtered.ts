// One's follows and followers as a table: by how they stand, whether they moved, and when they last wrote.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

export const relationKinds = ['following', 'followed_by', 'mutual', 'invited'] as const
export type RelationKind = (typeof relationKinds)[number]

/** In the words of Mastodon's page. */
export interface RelationFilter {
  relation: RelationKind
  /** `moved`: to another account; `primary`: not so. */
  status: 'all' | 'moved' | 'primary'
  /** `dormant`: wrote nothing in a month. */
  activity: 'all' | 'dormant'
  /** `recent`: who came last first; `active`: who wrote last first. */
  order: 'recent' | 'active'
}

const month = 30 * 86_400_000

/** Returns a part of the accounts that a filter leaves, and whether more follow. */
export async function listFiltered(
  reader: Reader,
  accountId: AccountId,
  filter: RelationFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ ids: AccountId[]; isMore: boolean }> {
  const since = new Date(reader.clock.now() - month)
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from ${tied(accountId, filter.relation)} t
    join accounts a on a.id = t.account_id and a.suspended_at is null and a.deleted_at is null
    left join account_stats s on s.account_id = a.id
    where (${filter.status === 'all'}::boolean or (a.moved_to_account_id is not null) = ${filter.status === 'moved'}::boolean)
      and (${filter.activity === 'all'}::boolean or s.last_status_at is null or s.last_status_at < ${since})
    order by ${filter.order === 'active' ? sql`s.last_status_at desc nulls last,` : sql``} t.since desc
    limit ${limit + 1} offset ${offset}`.execute(reader.db)
  return { ids: rows.slice(0, limit).map(({ id }) => id), isMore: rows.length > limit }
}

/** Whom somebody is tied to in this way, with the id of what ties them, which rises with time. */
function tied(accountId: AccountId, relation: RelationKind): RawBuilder<unknown> {
  if (relation === 'following')
    return sql`(select f.target_account_id as account_id, f.id as since from follows f where f.account_id = ${accountId})`
  if (relation === 'followed_by')
    return sql`(select f.account_id, f.id as since from follows f where f.target_account_id = ${accountId})`
  if (relation === 'mutual')
    return sql`(select f.account_id, f.id as since from follows f
      join follows m on m.account_id = f.target_account_id and m.target_account_id = f.account_id
      where f.target_account_id = ${accountId})`
  return sql`(select u.account_id, u.id as since from users u join invites i on i.id = u.invite_id
    where i.account_id = ${accountId})`
}
