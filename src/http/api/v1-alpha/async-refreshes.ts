// How work goes on whose result a client waits for: annual reports, and threads and profiles of other servers.
import { z } from 'zod'
import { AsyncRefresh } from '#entities/annual-report.ts'
import { getReportState } from '#domain/reading/annual-reports/queries.ts'
import { getVisibleStatus } from '#domain/content/statuses/queries.ts'
import { getAccountLine } from '#domain/identity/accounts/load.ts'
import { findRefresh, type Refreshed } from '#domain/content/statuses/refreshes.ts'
import { notFound } from '#lib/errors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { route } from '#http/kit/route.ts'
import { parseReportRefreshId, renderReportRefresh } from '#views/reading/annual-reports.ts'
import { parseRefreshName, renderRefresh } from '#views/content/refreshes.ts'
import type { AccountId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1_alpha/async_refreshes/:id',
    returns: AsyncRefresh,
    auth: 'user',
    scopes: ['read'],
    params: z.object({ id: z.string() }),
    async handle({ ctx, viewer, params }) {
      const what = parseRefreshName(params.id)
      if (what !== null) return showRefresh(ctx, viewer.accountId, what)
      const year = parseReportRefreshId(params.id)
      if (year === null) throw notFound()
      const state = await getReportState(ctx, viewer.accountId, year)
      if (state !== 'generating' && state !== 'available') throw notFound()
      return renderReportRefresh(year, state)
    },
  }),
]

async function showRefresh(ctx: Ctx, viewerId: AccountId, what: Refreshed) {
  if (what.kind === 'thread') await getVisibleStatus(ctx, viewerId, what.id)
  else await getAccountLine(ctx, what.id)
  const refresh = await findRefresh(ctx, what)
  if (!refresh) throw notFound()
  return renderRefresh(what, refresh)
}
