import { z } from 'zod'
import { Context } from '#entities/status.ts'
import { listContext } from '#domain/content/statuses/context.ts'
import { refreshThread } from '#domain/content/statuses/refreshes.ts'
import { pick } from '#lib/collections.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { reply, route } from '#http/kit/route.ts'
import { refreshHeader } from '#views/content/refreshes.ts'
import { loadThreadViews } from '#views/content/statuses.ts'
import type { StatusId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/statuses/:id/context',
    returns: Context,
    auth: 'optional',
    replicated: true,
    scopes: ['read', 'read:statuses'],
    caching: 'anonymous',
    params: z.object({ id: pathId<StatusId>() }),
    async handle({ ctx, viewer, params: { id } }) {
      const thread = await listContext(ctx, viewer?.accountId ?? null, id)
      const views = await loadThreadViews(ctx, viewer, thread)
      const refresh = viewer && thread.isRemote ? await refreshThread(ctx, viewer.accountId, id) : null
      const body = { ancestors: pick(thread.ancestors, views), descendants: pick(thread.descendants, views) }
      return reply(200, body, refreshHeader({ kind: 'thread', id }, refresh))
    },
  }),
]
