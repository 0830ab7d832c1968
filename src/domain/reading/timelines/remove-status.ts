import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { entersHome } from './home-rules.ts'
import { entersList } from './list-rules.ts'
import type { StatusId } from '#lib/id.ts'

/**
 * Takes deleted statuses out of all home feeds. Where one was a boost, the oldest other boost of the same status that
 * the owner would have had, but for this one, takes its place.
 */
export async function removeFromHomes(ctx: Ctx, ids: readonly StatusId[]): Promise<void> {
  await sql`
    with gone as (
      delete from home_entries h using unnest(${ids}::bigint[]) v (id)
      where h.status_id = v.id
        and not exists (select 1 from statuses s where s.id = v.id and s.deleted_at is null)
      returning h.account_id, h.status_id, h.reblog_of_id)
    insert into home_entries (account_id, status_id, reblog_of_id)
    select distinct on (g.account_id) g.account_id, s.id, s.reblog_of_id
    from gone g
    join follows f on f.account_id = g.account_id
    join statuses s on s.reblog_of_id = g.reblog_of_id and s.account_id = f.target_account_id and s.deleted_at is null
    join statuses o on o.id = s.reblog_of_id
    where ${entersHome({ status: 's', original: 'o', follow: 'f' }, new Date(ctx.clock.now()))} and not exists (
      select 1 from home_entries h where h.account_id = g.account_id
        and (h.status_id = g.reblog_of_id or h.reblog_of_id = g.reblog_of_id) and not exists (
          select 1 from gone o where o.account_id = h.account_id and o.status_id = h.status_id))
    order by g.account_id, s.id
    on conflict do nothing`.execute(ctx.db)
}

/** The same for all list feeds. */
export async function removeFromLists(ctx: Ctx, ids: readonly StatusId[]): Promise<void> {
  await sql`
    with gone as (
      delete from list_entries h using unnest(${ids}::bigint[]) v (id)
      where h.status_id = v.id
        and not exists (select 1 from statuses s where s.id = v.id and s.deleted_at is null)
      returning h.list_id, h.status_id, h.reblog_of_id)
    insert into list_entries (list_id, status_id, reblog_of_id)
    select distinct on (g.list_id) g.list_id, s.id, s.reblog_of_id
    from gone g
    join lists l on l.id = g.list_id
    join list_accounts la on la.list_id = l.id
    join statuses s on s.reblog_of_id = g.reblog_of_id and s.account_id = la.account_id and s.deleted_at is null
    join statuses o on o.id = s.reblog_of_id
    left join follows f on f.account_id = l.account_id and f.target_account_id = s.account_id
    where ${entersList({ status: 's', original: 'o', follow: 'f', list: 'l' }, new Date(ctx.clock.now()))} and not exists (
      select 1 from list_entries h where h.list_id = g.list_id
        and (h.status_id = g.reblog_of_id or h.reblog_of_id = g.reblog_of_id) and not exists (
          select 1 from gone o where o.list_id = h.list_id and o.status_id = h.status_id))
    order by g.list_id, s.id
    on conflict do nothing`.execute(ctx.db)
}
