import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminTag } from '#entities/admin/trends.ts'
import { listTags, updateTag } from '#domain/content/tags/manage.ts'
import { pageOf, paging, pathId, text, truthy } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAdminTag, viewAdminTags } from '#views/reading/admin-trends.ts'
import type { TagId } from '#lib/id.ts'

const staff = { auth: 'user', permission: 'manage_taxonomies' } as const
const one = z.object({ id: pathId<TagId>() })

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/tags',
    returns: listOf(AdminTag),
    ...staff,
    scopes: ['admin:read'],
    params: z.object(paging(100)),
    async handle({ ctx, viewer, params }) {
      const page = await listTags(ctx, pageOf(params))
      return listed(page, await viewAdminTags(ctx, viewer, page.items))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/tags/:id',
    returns: AdminTag,
    ...staff,
    scopes: ['admin:read'],
    params: one,
    handle: ({ ctx, viewer, params }) => viewAdminTag(ctx, viewer, params.id),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/tags/:id',
    returns: AdminTag,
    ...staff,
    scopes: ['admin:write'],
    params: one.extend({ display_name: text(), trendable: truthy(), usable: truthy(), listable: truthy() }),
    async handle({ ctx, viewer, params: { id, display_name, ...switches } }) {
      await updateTag(ctx, viewer, id, { displayName: display_name, ...switches })
      return viewAdminTag(ctx, viewer, id)
    },
  }),
]
