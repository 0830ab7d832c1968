// What staff are told, and what people are told of staff's decisions.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { bitsAllowing } from '#domain/identity/accounts/permissions.ts'
import { notify } from './notify.ts'
import type { AccountWarningId, ReportId, SeveranceEventId, UserId } from '#lib/id.ts'

const managesReports = bitsAllowing('manage_reports')
const managesUsers = bitsAllowing('manage_users')

/** The accounts of staff with one of these permissions. */
function staff(permissions: number): RawBuilder<unknown> {
  return sql`(
    select u.account_id from users u join roles r on r.id = u.role_id
    where (r.permissions & ${permissions}::bigint) <> 0 and not u.disabled)`
}

/** Tells staff of somebody new, once their address is confirmed and they are let in. */
export async function notifyOfSignUp(ctx: Ctx, userId: UserId): Promise<void> {
  await notify(
    ctx,
    sql`
    select m.account_id, u.account_id, 'admin.sign_up', null::bigint, coalesce(u.confirmed_at, u.created_at)
    from users u cross join ${staff(managesUsers)} m
    where u.id = ${userId} and u.confirmed_at is not null and u.approved`,
  )
}

/**
 * Tells staff of a report, unless an earlier one about the same account still waits for them. One that nobody made, but a
 * rule of the server, comes from whom it is about.
 */
export async function notifyOfReport(ctx: Ctx, reportId: ReportId): Promise<void> {
  await notify(
    ctx,
    sql`
    select m.account_id, coalesce(r.account_id, r.target_account_id), 'admin.report', null::bigint, r.created_at
    from reports r cross join ${staff(managesReports)} m
    where r.id = ${reportId} and not exists (
      select 1 from reports o
      where o.target_account_id = r.target_account_id and o.id < r.id and o.action_taken_at is null)`,
    { reportId },
  )
}

/** Tells somebody of what staff decided about their account. The one who decided stays unnamed. */
export async function notifyOfWarning(ctx: Ctx, warningId: AccountWarningId): Promise<void> {
  await notify(
    ctx,
    sql`
    select w.target_account_id, w.target_account_id, 'moderation_warning', null::bigint, w.created_at
    from account_warnings w where w.id = ${warningId}`,
    { warningId },
  )
}

/** Tells all who lost follows by one event. */
export async function notifyOfSeverance(ctx: Ctx, eventId: SeveranceEventId): Promise<void> {
  await notify(
    ctx,
    sql`
    select s.account_id, s.account_id, 'severed_relationships', null::bigint, s.created_at
    from account_severances s where s.event_id = ${eventId}`,
    {
      severanceId: sql`(
        select v.id from account_severances v where v.event_id = ${eventId} and v.account_id = n.account_id)`,
    },
  )
}
