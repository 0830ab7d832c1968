import { z } from 'zod'
import { pathId } from '#http/kit/params/fields.ts'
import { listOf } from '#entities/entity.ts'
import { StatusEdit, StatusSource } from '#entities/status.ts'
import { route } from '#http/kit/route.ts'
import { viewHistory, viewSource } from '#views/content/status-edits.ts'
import type { StatusId } from '#lib/id.ts'

const scopes = ['read', 'read:statuses']
const params = z.object({ id: pathId<StatusId>() })

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/statuses/:id/history',
    returns: listOf(StatusEdit),
    auth: 'optional',
    replicated: true,
    scopes,
    caching: 'anonymous',
    params,
    handle: ({ ctx, viewer, params: { id } }) => viewHistory(ctx, viewer, id),
  }),
  route({
    method: 'GET',
    path: '/api/v1/statuses/:id/source',
    returns: StatusSource,
    auth: 'token',
    scopes,
    params,
    handle: ({ ctx, viewer, params: { id } }) => viewSource(ctx, viewer, id),
  }),
]
