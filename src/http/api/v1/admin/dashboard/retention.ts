import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminCohort } from '#entities/admin/dashboard.ts'
import { parseSpan } from '#domain/maintenance/dashboard/days.ts'
import { maxDays, readRetention } from '#domain/maintenance/dashboard/retention.ts'
import { requiredText, text } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderCohort } from '#views/maintenance/admin-dashboard.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/admin/retention',
    returns: listOf(AdminCohort),
    auth: 'user',
    replicated: true,
    permission: 'view_dashboard',
    scopes: ['admin:read'],
    params: z.object({ start_at: requiredText(), end_at: requiredText(), frequency: text() }),
    async handle({ ctx, params: { start_at: start, end_at: end, ...params } }) {
      const frequency = params.frequency === 'month' ? 'month' : 'day'
      const span = parseSpan(ctx.clock.now(), { start, end }, maxDays[frequency])
      const cohorts = await readRetention(ctx, span, frequency)
      return cohorts.map((cohort) => renderCohort(cohort, frequency))
    },
  }),
]
