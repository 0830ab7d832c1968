import { z } from 'zod'
import { AnnualReportState, WrappedAnnualReports } from '#entities/annual-report.ts'
import { Empty } from '#entities/empty.ts'
import { markReportRead } from '#domain/reading/annual-reports/mark-read.ts'
import { getReport, getReportState, listUnreadReports } from '#domain/reading/annual-reports/queries.ts'
import { requestReport } from '#domain/reading/annual-reports/request-report.ts'
import { reply, route } from '#http/kit/route.ts'
import { reportRefreshId, viewAnnualReports } from '#views/reading/annual-reports.ts'

const read = ['read', 'read:accounts']
const write = ['write', 'write:accounts']

/** Of what is no year there is no report. */
const noYear = 0
const one = z.object({
  year: z.string().transform((value) => (/^\d{4}$/.test(value) ? Number(value) : noYear)),
})

/** Clients ask again after so many seconds. */
const refresh = (year: number) => ({ 'mastodon-async-refresh': `id="${reportRefreshId(year)}", retry=2` })

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/annual_reports',
    returns: WrappedAnnualReports,
    auth: 'user',
    scopes: read,
    async handle({ ctx, viewer }) {
      return viewAnnualReports(ctx, viewer, await listUnreadReports(ctx, viewer.accountId))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/annual_reports/:year',
    returns: WrappedAnnualReports,
    auth: 'user',
    scopes: read,
    params: one,
    async handle({ ctx, viewer, params }) {
      return viewAnnualReports(ctx, viewer, [await getReport(ctx, viewer.accountId, params.year)])
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/annual_reports/:year/state',
    returns: AnnualReportState,
    auth: 'user',
    scopes: read,
    params: one,
    async handle({ ctx, viewer, params: { year } }) {
      const state = await getReportState(ctx, viewer.accountId, year)
      return reply(200, { state }, state === 'generating' ? refresh(year) : {})
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/annual_reports/:year/generate',
    returns: Empty,
    statuses: [200, 202],
    auth: 'user',
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params: { year } }) {
      const state = await requestReport(ctx, viewer, year)
      return state === 'generating' ? reply(202, {}, refresh(year)) : {}
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/annual_reports/:year/read',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await markReportRead(ctx, viewer, params.year)
      return {}
    },
  }),
]
