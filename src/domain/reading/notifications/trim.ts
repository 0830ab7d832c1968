import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { findFirstIdSince } from './find-since.ts'
import type { IdCursor } from '#lib/id.ts'

const day = 86_400_000
/** The newest of an account stay however old they are, so that nobody's list runs empty. */
const alwaysKept = 400
/** Accounts of one statement, and notifications of each that it deletes. */
const accounts = 200
const perAccount = 500
/** Requests of one statement. */
const requests = 500
/** A request without notifications stays so long, in milliseconds: some may be on their way to it. */
const emptyRequestKept = 3_600_000

/**
 * Deletes old notifications (see the setting `notification_retention_days`) and requests of which nothing is left.
 * Returns how many notifications went.
 */
export async function trimNotifications(ctx: Ctx): Promise<number> {
  const { notification_retention_days: days } = await getSettings(ctx)
  let total = 0
  if (days !== null) {
    const time = new Date(ctx.clock.now() - days * day)
    const before = { time, id: await findFirstIdSince(ctx, time) }
    for (let after: IdCursor | null = '0'; after !== null;) {
      const { gone, next } = await trimSome(ctx, before, after)
      total += gone
      after = next
    }
  }
  for (let after: IdCursor | null = '0'; after !== null;) after = await trimRequests(ctx, after)
  return total
}

/** Goes through some requests after this one; answers where to go on, null at the end. */
async function trimRequests(ctx: Ctx, after: IdCursor): Promise<IdCursor | null> {
  const before = new Date(ctx.clock.now() - emptyRequestKept)
  const { rows } = await sql<{ next: IdCursor | null }>`
    with chosen as (
      select id, account_id, from_account_id, updated_at from notification_requests where id > ${after} order by id limit ${requests}),
    gone as (
      delete from notification_requests where id in (
        select r.id from chosen r
        where r.updated_at < ${before} and not exists (
          select 1 from notifications n
          where n.from_account_id = r.from_account_id and n.account_id = r.account_id and n.filtered offset 0)))
    select case when count(*) = ${requests} then max(id) end as next from chosen`.execute(ctx.db)
  return rows[0]?.next ?? null
}

/** Goes through some accounts after this one; answers where to go on, null at the end. Ids rise with time. */
async function trimSome(
  ctx: Ctx,
  before: { time: Date; id: IdCursor },
  after: IdCursor,
): Promise<{ gone: number; next: IdCursor | null }> {
  const { rows } = await sql<{ last: IdCursor | null; full: boolean; max: number; gone: number }>`
    with chosen as (
      select account_id from users where account_id > ${after} order by account_id limit ${accounts}),
    old as (
      select l.id, c.account_id from chosen c cross join lateral (
        (select n.id from notifications n
          where n.account_id = c.account_id and not n.filtered and n.id < ${before.id} and n.created_at < ${before.time} and n.id < (
            select k.id from notifications k where k.account_id = c.account_id and not k.filtered
            order by k.id desc offset ${alwaysKept - 1} limit 1)
          order by n.id desc limit ${perAccount})
        union all
        (select n.id from notifications n
          where n.account_id = c.account_id and n.filtered and n.id < ${before.id} and n.created_at < ${before.time} limit ${perAccount})) l),
    gone as (delete from notifications where id in (select id from old))
    select max(account_id) as last, count(*) = ${accounts} as full,
      coalesce((select max(count) from (select count(*)::int from old group by account_id) o), 0) as max,
      (select count(*)::int from old) as gone
    from chosen`.execute(ctx.db)
  const [found] = rows
  if (!found || found.last === null) return { gone: 0, next: null }
  // Somebody had more than one statement takes: their turn comes again.
  const next = found.max >= perAccount ? after : found.full ? found.last : null
  return { gone: found.gone, next }
}
