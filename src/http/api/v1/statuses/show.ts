import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { ids, pathId } from '#http/kit/params/fields.ts'
import { unprocessable } from '#lib/errors.ts'
import { route } from '#http/kit/route.ts'
import { viewStatus, viewStatuses } from '#views/content/statuses.ts'
import type { StatusId } from '#lib/id.ts'

/** Statuses that may be asked for at once. */
const maxBatch = 20

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/statuses/:id',
    returns: Status,
    auth: 'optional',
    scopes: ['read', 'read:statuses'],
    caching: 'anonymous',
    params: z.object({ id: pathId<StatusId>() }),
    handle: ({ ctx, viewer, params }) => viewStatus(ctx, viewer, params.id),
  }),
  route({
    method: 'GET',
    path: '/api/v1/statuses',
    returns: listOf(Status),
    auth: 'optional',
    replicated: true,
    scopes: ['read', 'read:statuses'],
    caching: 'anonymous',
    params: z.object({ id: ids<StatusId>() }),
    async handle({ ctx, viewer, params }) {
      const wanted = [...new Set(params.id)]
      if (wanted.length > maxBatch) throw unprocessable()
      return viewStatuses(ctx, viewer, wanted)
    },
  }),
]
