import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminRelay } from '#entities/admin/hosts.ts'
import { Empty } from '#entities/empty.ts'
import {
  addRelay,
  disableRelay,
  enableRelay,
  getRelay,
  listRelays,
  removeRelay,
} from '#domain/federation/relays/relays.ts'
import { pathId, requiredText } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderRelay } from '#views/server/admin-hosts.ts'
import type { RelayId } from '#lib/id.ts'

const one = z.object({ id: pathId<RelayId>() })
const staff = { auth: 'user', permission: 'manage_federation' } as const
const read = ['admin:read']
const write = ['admin:write']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/relays',
    returns: listOf(AdminRelay),
    ...staff,
    scopes: read,
    handle: async ({ ctx }) => (await listRelays(ctx)).map(renderRelay),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/relays/:id',
    returns: AdminRelay,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderRelay(await getRelay(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/relays',
    returns: AdminRelay,
    ...staff,
    scopes: write,
    params: z.object({ inbox_url: requiredText() }),
    handle: async ({ ctx, viewer, params }) => renderRelay(await addRelay(ctx, viewer, params.inbox_url)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/relays/:id/enable',
    returns: AdminRelay,
    ...staff,
    scopes: write,
    params: one,
    handle: async ({ ctx, viewer, params }) => renderRelay(await enableRelay(ctx, viewer, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/relays/:id/disable',
    returns: AdminRelay,
    ...staff,
    scopes: write,
    params: one,
    handle: async ({ ctx, viewer, params }) => renderRelay(await disableRelay(ctx, viewer, params.id)),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/relays/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await removeRelay(ctx, viewer, params.id)
      return {}
    },
  }),
]
