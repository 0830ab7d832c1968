import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminMeasure } from '#entities/admin/dashboard.ts'
import { parseSpan } from '#domain/maintenance/dashboard/days.ts'
import { measureKeys, readMeasures } from '#domain/maintenance/dashboard/measures.ts'
import { isOneOf } from '#lib/collections.ts'
import { text, texts } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderMeasure } from '#views/maintenance/admin-dashboard.ts'
import { aboutHost, aboutTag, subjectsOf } from './subjects.ts'

const about = {
  tag_accounts: aboutTag(),
  tag_uses: aboutTag(),
  tag_servers: aboutTag(),
  instance_accounts: aboutHost(),
  instance_media_attachments: aboutHost(),
  instance_reports: aboutHost(),
  instance_statuses: aboutHost(),
  instance_follows: aboutHost(),
  instance_followers: aboutHost(),
}

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/admin/measures',
    returns: listOf(AdminMeasure),
    auth: 'user',
    replicated: true,
    permission: 'view_dashboard',
    scopes: ['admin:read'],
    params: z.object({ keys: texts(), start_at: text(), end_at: text(), ...about }),
    async handle({ ctx, params: { keys = [], start_at: start, end_at: end, ...given } }) {
      const span = parseSpan(ctx.clock.now(), { start, end })
      const wanted = [...new Set(keys)].filter((key) => isOneOf(measureKeys, key))
      return (await readMeasures(ctx, wanted, span, subjectsOf(wanted, given))).map(renderMeasure)
    },
  }),
]
