import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { readPublic } from '#domain/reading/timelines/public.ts'
import { pageOf, paging, truthy } from '#http/kit/params/fields.ts'
import { assertPreview } from '#http/kit/preview.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewSeen } from '#views/content/statuses.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/timelines/public',
    returns: listOf(Status),
    auth: 'optional',
    replicated: true,
    scopes: ['read', 'read:statuses'],
    caching: 'anonymous',
    shared: ['settings', 'account'],
    params: z.object({ ...paging(20), local: truthy(), remote: truthy(), only_media: truthy() }),
    async handle({ ctx, viewer, params }) {
      await assertPreview(ctx, viewer, 'live', params)
      const options = { local: params.local, remote: params.remote, onlyMedia: params.only_media }
      const page = await readPublic(ctx, viewer, options, pageOf(params))
      return listed(page, await viewSeen(ctx, viewer, page))
    },
  }),
]
