import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminDomainAllow } from '#entities/admin/hosts.ts'
import { Empty } from '#entities/empty.ts'
import {
  allowHost,
  disallowHost,
  getHostAllow,
  listHostAllows,
} from '#domain/trust/moderation/hosts/host-allows.ts'
import { pageOf, paging, pathId, text } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { renderHostAllow } from '#views/server/admin-hosts.ts'
import type { DomainAllowId } from '#lib/id.ts'

const one = z.object({ id: pathId<DomainAllowId>() })
const staff = { auth: 'user', permission: 'manage_federation' } as const
const read = ['admin:read', 'admin:read:domain_allows']
const write = ['admin:write', 'admin:write:domain_allows']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/domain_allows',
    returns: listOf(AdminDomainAllow),
    ...staff,
    scopes: read,
    params: z.object(paging(100)),
    async handle({ ctx, params }) {
      const page = await listHostAllows(ctx, pageOf(params))
      return listed(page, page.items.map(renderHostAllow))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/domain_allows/:id',
    returns: AdminDomainAllow,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderHostAllow(await getHostAllow(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/domain_allows',
    returns: AdminDomainAllow,
    ...staff,
    scopes: write,
    params: z.object({ domain: text() }),
    handle: async ({ ctx, viewer, params }) => renderHostAllow(await allowHost(ctx, viewer, params.domain)),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/domain_allows/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await disallowHost(ctx, viewer, params.id)
      return {}
    },
  }),
]
