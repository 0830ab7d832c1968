// Numbers of one's own: an extension of the Mastodon API.
import { z } from 'zod'
import { MonthStatistics, StatisticsSetting, StatusStatistics } from '#entities/personal/statistics.ts'
import {
  assertWantsStatistics,
  setWantsStatistics,
  wantsStatistics,
} from '#domain/reading/statistics/setting.ts'
import { pathId, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { badRequest } from '#lib/errors.ts'
import { viewMonthStatistics, viewStatusStatistics } from '#views/reading/statistics.ts'
import type { StatusId } from '#lib/id.ts'

const statuses = ['read', 'read:statuses']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/statistics',
    returns: StatisticsSetting,
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:accounts'],
    handle: async ({ viewer }) => ({ enabled: wantsStatistics(viewer) }),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/statistics',
    returns: StatisticsSetting,
    auth: 'user',
    scopes: ['write', 'write:accounts'],
    params: z.object({ enabled: truthy() }),
    async handle({ ctx, viewer, params: { enabled } }) {
      if (enabled === undefined) throw badRequest('param_missing', { name: 'enabled' })
      await setWantsStatistics(ctx, viewer, enabled)
      return { enabled }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/statistics/:month',
    returns: MonthStatistics,
    auth: 'user',
    replicated: true,
    scopes: statuses,
    params: z.object({ month: z.string() }),
    async handle({ ctx, viewer, params: { month } }) {
      assertWantsStatistics(viewer)
      return viewMonthStatistics(ctx, viewer, month)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/statuses/:id/statistics',
    returns: StatusStatistics,
    auth: 'user',
    replicated: true,
    scopes: statuses,
    params: z.object({ id: pathId<StatusId>() }),
    async handle({ ctx, viewer, params: { id } }) {
      assertWantsStatistics(viewer)
      return viewStatusStatistics(ctx, viewer, id)
    },
  }),
]
