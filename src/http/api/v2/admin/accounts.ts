import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminAccount } from '#entities/admin/account.ts'
import { listAccounts, type AccountFilter } from '#domain/trust/moderation/list-accounts.ts'
import { ids, pageOf, paging, reference, word } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAdminAccounts } from '#views/identity/admin-accounts.ts'
import { names, toNames } from '#http/api/v1/admin/accounts/params.ts'
import type { AccountId, RoleId } from '#lib/id.ts'

const states = ['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'] as const

const params = z.object({
  origin: word(['local', 'remote']),
  status: word(states),
  permissions: word(['staff']),
  role_ids: ids<RoleId>(),
  invited_by: reference<AccountId>(),
  ...names,
  ...paging(100),
})

const toFilter = (given: z.output<typeof params>): AccountFilter => ({
  ...toNames(given),
  ...(given.origin && { [given.origin]: true }),
  ...(given.status && { [given.status]: true }),
  staff: given.permissions === 'staff',
  roleIds: given.role_ids,
  invitedBy: given.invited_by,
})

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/admin/accounts',
    returns: listOf(AdminAccount),
    auth: 'user',
    replicated: true,
    permission: 'manage_users',
    scopes: ['admin:read', 'admin:read:accounts'],
    params,
    async handle({ ctx, params: given }) {
      const page = await listAccounts(ctx, toFilter(given), pageOf(given))
      return listed(page, await viewAdminAccounts(ctx, page.items))
    },
  }),
]
