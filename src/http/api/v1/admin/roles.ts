import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminRole } from '#entities/admin/server.ts'
import { Empty } from '#entities/empty.ts'
import { createRole, deleteRole, updateRole } from '#domain/identity/roles/edit-role.ts'
import { getRole, listRoles } from '#domain/identity/roles/queries.ts'
import { integer, pathId, text, texts, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderAdminRole } from '#views/identity/admin-roles.ts'
import { asId, type RoleId } from '#lib/id.ts'

/** The role of everybody has an id below zero. */
const one = z.object({ id: z.union([z.literal('-99'), pathId<RoleId>()]) })
const fields = z.object({
  name: text(),
  color: text(),
  permissions: z.union([z.string(), z.number().transform(String), texts()]).optional(),
  position: integer(),
  highlighted: truthy(),
  require_2fa: truthy(),
  collection_limit: integer(),
})
const staff = { auth: 'user', permission: 'manage_roles' } as const
const read = ['admin:read']
const write = ['admin:write']

const toInput = (params: z.output<typeof fields>) => ({
  name: params.name,
  color: params.color,
  permissions: params.permissions,
  position: params.position,
  highlighted: params.highlighted,
  require2fa: params.require_2fa,
  collectionLimit: params.collection_limit,
})

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/roles',
    returns: listOf(AdminRole),
    ...staff,
    scopes: read,
    handle: async ({ ctx }) => (await listRoles(ctx)).map(renderAdminRole),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/roles/:id',
    returns: AdminRole,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderAdminRole(await getRole(ctx, asId<RoleId>(params.id))),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/roles',
    returns: AdminRole,
    ...staff,
    scopes: write,
    params: fields,
    async handle({ ctx, viewer, params }) {
      const made = await createRole(ctx, viewer, toInput(params))
      return renderAdminRole(await getRole(ctx, made))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/roles/:id',
    returns: AdminRole,
    ...staff,
    scopes: write,
    params: fields.extend(one.shape),
    async handle({ ctx, viewer, params }) {
      await updateRole(ctx, viewer, asId<RoleId>(params.id), toInput(params))
      return renderAdminRole(await getRole(ctx, asId<RoleId>(params.id)))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/roles/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteRole(ctx, viewer, asId<RoleId>(params.id))
      return {}
    },
  }),
]
