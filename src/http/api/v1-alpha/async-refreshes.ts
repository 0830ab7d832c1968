// How work goes on whose result a client waits for: so far only annual reports.
import { z } from 'zod'
import { getReportState } from '#domain/annual-reports/queries.ts'
import { notFound } from '#lib/errors.ts'
import { route } from '#http/kit/route.ts'
import { parseReportRefreshId, renderReportRefresh } from '#views/annual-reports.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1_alpha/async_refreshes/:id',
    auth: 'user',
    scopes: ['read'],
    params: z.object({ id: z.string() }),
    async handle({ ctx, viewer, params }) {
      const year = parseReportRefreshId(params.id)
      if (year === null) throw notFound()
      const state = await getReportState(ctx, viewer.accountId, year)
      if (state !== 'generating' && state !== 'available') throw notFound()
      return renderReportRefresh(year, state)
    },
  }),
]
