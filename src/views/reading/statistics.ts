import type { MonthStatistics, StatusStatistics } from '#entities/personal/statistics.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { parseMonth, summariseMonth, type MonthDay } from '#domain/reading/statistics/month.ts'
import { getStatusStatistics } from '#domain/reading/statistics/status.ts'
import { notFound } from '#lib/errors.ts'
import { formatTime } from '#lib/time/time.ts'
import { viewStatuses } from '../content/statuses.ts'
import type { StatusId } from '#lib/id.ts'

/** How a status of the viewer's own travelled. Throws `not_found` for others. */
export async function viewStatusStatistics(
  ctx: Ctx,
  viewer: Viewer,
  id: StatusId,
): Promise<StatusStatistics> {
  const found = await getStatusStatistics(ctx, viewer.accountId, id)
  return {
    status_id: id,
    complete: found.complete,
    totals: found.totals,
    hours: found.hours.map(({ hour, ...counts }) => ({ hour: formatTime(hour), ...counts })),
    servers_count: found.serversCount,
    servers: found.servers.map(({ domain, ...counts }) => ({
      domain: domain ?? ctx.config.localDomain,
      ...counts,
    })),
  }
}

/** The viewer's own month. Throws `not_found` for what is no month. */
export async function viewMonthStatistics(ctx: Ctx, viewer: Viewer, text: string): Promise<MonthStatistics> {
  const month = parseMonth(text)
  if (!month) throw notFound()
  const { days, complete, topStatusIds } = await summariseMonth(ctx, viewer.accountId, month)
  const total = (key: Exclude<keyof MonthDay, 'day'>) => days.reduce((sum, one) => sum + one[key], 0)
  return {
    month: text,
    complete,
    totals: {
      statuses: total('statuses'),
      answers: total('answers'),
      boosts: total('boosts'),
      followers: total('followers'),
      favourites: total('favourites'),
      reblogs: total('reblogs'),
      replies: total('replies'),
      quotes: total('quotes'),
    },
    days,
    top_statuses: await viewStatuses(ctx, viewer, topStatusIds),
  }
}
