import { z } from 'zod'
import { AdminAccount } from '#entities/admin/account.ts'
import { assignRole } from '#domain/identity/roles/assign-role.ts'
import { pathId, reference } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewAdminAccountFor } from '#views/identity/admin-accounts.ts'
import type { AccountId, RoleId } from '#lib/id.ts'

const staff = {
  auth: 'user',
  permission: 'manage_roles',
  scopes: ['admin:write', 'admin:write:accounts'],
} as const

export const routes = [
  route({
    method: 'PUT',
    path: '/api/v1/admin/accounts/:id/role',
    returns: AdminAccount,
    ...staff,
    // Without an id the role is taken away.
    params: z.object({ id: pathId<AccountId>(), role_id: reference<RoleId>() }),
    async handle({ ctx, viewer, params }) {
      await assignRole(ctx, viewer, params.id, params.role_id ?? null)
      return viewAdminAccountFor(ctx, viewer, params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/accounts/:id/role',
    returns: AdminAccount,
    ...staff,
    params: z.object({ id: pathId<AccountId>() }),
    async handle({ ctx, viewer, params }) {
      await assignRole(ctx, viewer, params.id, null)
      return viewAdminAccountFor(ctx, viewer, params.id)
    },
  }),
]
