import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminAccount } from '#entities/admin/account.ts'
import { Empty } from '#entities/empty.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { deleteAccountByStaff } from '#domain/maintenance/deletion/delete-suspended.ts'
import { liftLimit, type LimitKind } from '#domain/trust/moderation/account-limits.ts'
import { decideSignUp } from '#domain/trust/moderation/decide-sign-up.ts'
import { listAccounts } from '#domain/trust/moderation/list-accounts.ts'
import { setMemorial } from '#domain/trust/moderation/memorials.ts'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import { pageOf, paging, pathId, truthy } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAdminAccount, viewAdminAccountFor, viewAdminAccounts } from '#views/identity/admin-accounts.ts'
import { actionParams, names, toAction, toNames } from './params.ts'
import type { AccountId } from '#lib/id.ts'

const states = {
  local: truthy(),
  remote: truthy(),
  active: truthy(),
  pending: truthy(),
  disabled: truthy(),
  silenced: truthy(),
  suspended: truthy(),
  sensitized: truthy(),
  staff: truthy(),
}
const one = z.object({ id: pathId<AccountId>() })
const staff = { auth: 'user', permission: 'manage_users' } as const
const read = ['admin:read', 'admin:read:accounts']
const write = ['admin:write', 'admin:write:accounts']

/** Takes one limit back. */
const lift = (kind: LimitKind) =>
  ({
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params: { id } }: { ctx: Ctx; viewer: Viewer; params: { id: AccountId } }) {
      await liftLimit(ctx, viewer, id, kind)
      return viewAdminAccount(ctx, id)
    },
  }) as const

const memorial = (wanted: boolean) =>
  ({
    auth: 'user',
    permission: 'delete_user_data',
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params: { id } }: { ctx: Ctx; viewer: Viewer; params: { id: AccountId } }) {
      await setMemorial(ctx, viewer, id, wanted)
      return viewAdminAccountFor(ctx, viewer, id)
    },
  }) as const

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/accounts',
    returns: listOf(AdminAccount),
    ...staff,
    replicated: true,
    scopes: read,
    params: z.object({ ...states, ...names, ...paging(100) }),
    async handle({ ctx, params }) {
      const page = await listAccounts(ctx, { ...params, ...toNames(params) }, pageOf(params))
      return listed(page, await viewAdminAccounts(ctx, page.items))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/accounts/:id',
    returns: AdminAccount,
    ...staff,
    scopes: read,
    params: one,
    handle: ({ ctx, params }) => viewAdminAccount(ctx, params.id),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/accounts/:id',
    returns: AdminAccount,
    auth: 'user',
    permission: 'delete_user_data',
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params: { id } }) {
      // As it was: afterwards there is nothing left to show.
      const before = await viewAdminAccountFor(ctx, viewer, id)
      await deleteAccountByStaff(ctx, viewer, id)
      return before
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/approve',
    returns: AdminAccount,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params: { id } }) {
      await viewAdminAccount(ctx, id)
      await decideSignUp(ctx, viewer, id, 'approve')
      return viewAdminAccount(ctx, id)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/reject',
    returns: AdminAccount,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params: { id } }) {
      const before = await viewAdminAccount(ctx, id)
      await decideSignUp(ctx, viewer, id, 'reject')
      return before
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/enable',
    returns: AdminAccount,
    ...lift('disable'),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/unsensitive',
    returns: AdminAccount,
    ...lift('sensitive'),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/unsilence',
    returns: AdminAccount,
    ...lift('silence'),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/unsuspend',
    returns: AdminAccount,
    ...lift('suspend'),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/action',
    returns: Empty,
    auth: 'user',
    permission: ['manage_users', 'manage_reports'],
    scopes: write,
    params: actionParams,
    async handle({ ctx, viewer, params }) {
      await takeAction(ctx, viewer, params.id, toAction(params, ctx.clock.now()))
      return {}
    },
  }),
  // An extension: what Mastodon's staff do on its pages.
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/memorialize',
    returns: AdminAccount,
    ...memorial(true),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/accounts/:id/unmemorialize',
    returns: AdminAccount,
    ...memorial(false),
  }),
]
