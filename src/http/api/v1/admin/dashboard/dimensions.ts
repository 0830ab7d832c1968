import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminDimension } from '#entities/admin/dashboard.ts'
import { parseSpan } from '#domain/maintenance/dashboard/days.ts'
import { dimensionKeys, readDimensions } from '#domain/maintenance/dashboard/dimensions.ts'
import { isOneOf } from '#lib/collections.ts'
import { limit, text, texts } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderDimension } from '#views/maintenance/admin-dashboard.ts'
import { languageOf } from '#lib/messages/pick-language.ts'
import { aboutHost, aboutTag, subjectsOf } from './subjects.ts'

const about = {
  tag_servers: aboutTag(),
  tag_languages: aboutTag(),
  instance_accounts: aboutHost(),
  instance_languages: aboutHost(),
}

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/admin/dimensions',
    returns: listOf(AdminDimension),
    auth: 'user',
    replicated: true,
    permission: 'view_dashboard',
    scopes: ['admin:read'],
    params: z.object({ keys: texts(), start_at: text(), end_at: text(), limit: limit(10, 100), ...about }),
    async handle({ ctx, viewer, params: { keys = [], start_at: start, end_at: end, limit: max, ...given } }) {
      const span = parseSpan(ctx.clock.now(), { start, end })
      const wanted = [...new Set(keys)].filter((key) => isOneOf(dimensionKeys, key))
      const query = { span, limit: max, subjects: subjectsOf(wanted, given) }
      const found = await readDimensions(ctx, wanted, query)
      return found.map((dimension) => renderDimension(dimension, languageOf(viewer.locale)))
    },
  }),
]
