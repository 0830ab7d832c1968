import { z } from 'zod'
import { Status } from '#entities/status.ts'
import { deleteStatus } from '#domain/content/statuses/delete-status.ts'
import { pathId, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewStatusWithSource } from '#views/content/statuses.ts'
import type { StatusId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'DELETE',
    path: '/api/v1/statuses/:id',
    returns: Status,
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    params: z.object({ id: pathId<StatusId>(), delete_media: truthy() }),
    async handle({ ctx, viewer, params: { id, delete_media: dropMedia }, limits }) {
      await limits.count('unpublish', viewer.userId)
      const shown = await viewStatusWithSource(ctx, viewer, id)
      await deleteStatus(ctx, viewer, id, { dropMedia })
      return shown
    },
  }),
]
