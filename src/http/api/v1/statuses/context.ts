import { z } from 'zod'
import { listContext } from '#domain/statuses/context.ts'
import { pick } from '#lib/collections.ts'
import { pathId } from '#http/kit/fields.ts'
import { route } from '#http/kit/route.ts'
import { loadStatusViews } from '#views/statuses.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/statuses/:id/context',
    auth: 'optional',
    scopes: ['read', 'read:statuses'],
    caching: 'anonymous',
    params: z.object({ id: pathId() }),
    async handle({ ctx, viewer, params: { id } }) {
      const thread = await listContext(ctx, viewer?.accountId ?? null, id)
      const views = await loadStatusViews(ctx, viewer, [...thread.ancestors, ...thread.descendants])
      return { ancestors: pick(thread.ancestors, views), descendants: pick(thread.descendants, views) }
    },
  }),
]
