// An extension: Mastodon has these on its pages alone.
import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminInvite } from '#entities/admin/sign-up.ts'
import { Empty } from '#entities/empty.ts'
import {
  createInvite,
  deactivateAllInvites,
  deactivateInvite,
  getInvite,
  listInvites,
} from '#domain/identity/sign-up-restrictions/invites.ts'
import { id, integer, pageOf, paging, pathId, text, truthy } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { renderInvite } from '#views/identity/admin-sign-up-restrictions.ts'
import type { AccountId, InviteId } from '#lib/id.ts'

const one = z.object({ id: pathId<InviteId>() })
const staff = { auth: 'user', permission: 'manage_invites' } as const
const read = ['admin:read']
const write = ['admin:write']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/invites',
    returns: listOf(AdminInvite),
    ...staff,
    scopes: read,
    params: z.object({ ...paging(100), account_id: id<AccountId>(), usable: truthy() }),
    async handle({ ctx, params }) {
      const filter = { accountId: params.account_id, usable: params.usable }
      const page = await listInvites(ctx, pageOf(params), filter)
      return listed(
        page,
        page.items.map((invite) => renderInvite(invite, ctx.config.baseUrl)),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/invites/:id',
    returns: AdminInvite,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderInvite(await getInvite(ctx, params.id), ctx.config.baseUrl),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/invites',
    returns: AdminInvite,
    ...staff,
    scopes: write,
    params: z.object({ max_uses: integer(), expires_in: integer(), autofollow: truthy(), comment: text() }),
    async handle({ ctx, viewer, params }) {
      const wanted = {
        maxUses: params.max_uses,
        expiresIn: params.expires_in,
        autofollow: params.autofollow,
        comment: params.comment,
      }
      return renderInvite(await createInvite(ctx, viewer, wanted, { recorded: true }), ctx.config.baseUrl)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/invites/deactivate_all',
    returns: Empty,
    ...staff,
    scopes: write,
    async handle({ ctx, viewer }) {
      await deactivateAllInvites(ctx, viewer)
      return {}
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/invites/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deactivateInvite(ctx, viewer, params.id)
      return {}
    },
  }),
]
