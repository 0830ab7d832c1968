import { z } from 'zod'
import { AdminAccount } from '#entities/admin/account.ts'
import { removeFactorsByStaff } from '#domain/identity/two-factor/turn-off.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewAdminAccountFor } from '#views/identity/admin-accounts.ts'
import type { AccountId } from '#lib/id.ts'

export const routes = [
  /** For people who lost their second factor: their password alone signs in then. */
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/disable_2fa',
    returns: AdminAccount,
    auth: 'user',
    permission: 'manage_user_access',
    scopes: ['admin:write', 'admin:write:accounts'],
    params: z.object({ id: pathId<AccountId>() }),
    async handle({ ctx, viewer, params }) {
      await removeFactorsByStaff(ctx, viewer, params.id)
      return viewAdminAccountFor(ctx, viewer, params.id)
    },
  }),
]
