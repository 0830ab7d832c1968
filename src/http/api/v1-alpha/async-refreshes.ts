// How work goes on whose result a client waits for: annual reports, and threads of other servers.
import { z } from 'zod'
import { AsyncRefresh } from '#entities/annual-report.ts'
import { getReportState } from '#domain/reading/annual-reports/queries.ts'
import { getVisibleStatus } from '#domain/content/statuses/queries.ts'
import { findThreadRefresh } from '#domain/content/statuses/thread-refresh.ts'
import { notFound } from '#lib/errors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { route } from '#http/kit/route.ts'
import { parseReportRefreshId, renderReportRefresh } from '#views/reading/annual-reports.ts'
import { parseThreadRefreshId, renderThreadRefresh } from '#views/content/thread-refresh.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1_alpha/async_refreshes/:id',
    returns: AsyncRefresh,
    auth: 'user',
    scopes: ['read'],
    params: z.object({ id: z.string() }),
    async handle({ ctx, viewer, params }) {
      const statusId = parseThreadRefreshId(params.id)
      if (statusId !== null) return showThread(ctx, viewer.accountId, statusId)
      const year = parseReportRefreshId(params.id)
      if (year === null) throw notFound()
      const state = await getReportState(ctx, viewer.accountId, year)
      if (state !== 'generating' && state !== 'available') throw notFound()
      return renderReportRefresh(year, state)
    },
  }),
]

async function showThread(ctx: Ctx, viewerId: AccountId, statusId: StatusId) {
  await getVisibleStatus(ctx, viewerId, statusId)
  const refresh = await findThreadRefresh(ctx, statusId)
  if (!refresh) throw notFound()
  return renderThreadRefresh(statusId, refresh)
}
