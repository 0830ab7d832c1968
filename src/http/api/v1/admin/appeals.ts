import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminAppeal } from '#entities/admin/report.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { decideAppeal, getAppeal, listAppeals } from '#domain/trust/moderation/appeals.ts'
import { notFound } from '#lib/errors.ts'
import { pageOf, paging, pathId, word } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAppeal, viewAppeals } from '#views/trust/admin-appeals.ts'
import type { AppealId } from '#lib/id.ts'

const one = z.object({ id: pathId<AppealId>() })
const staff = { auth: 'user', permission: 'manage_appeals' } as const
const read = ['admin:read']
const write = ['admin:write']

async function show(ctx: Ctx, viewer: Viewer, id: AppealId): Promise<AdminAppeal> {
  const view = await viewAppeal(ctx, viewer.accountId, await getAppeal(ctx, id))
  if (!view) throw notFound()
  return view
}

const decide = (decision: 'approve' | 'reject') =>
  ({
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }: { ctx: Ctx; viewer: Viewer; params: { id: AppealId } }) {
      await decideAppeal(ctx, viewer, params.id, decision)
      return show(ctx, viewer, params.id)
    },
  }) as const

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/appeals',
    returns: listOf(AdminAppeal),
    ...staff,
    scopes: read,
    params: z.object({ state: word(['pending', 'approved', 'rejected']), ...paging(100) }),
    async handle({ ctx, viewer, params }) {
      const page = await listAppeals(ctx, params.state, pageOf(params))
      return listed(page, await viewAppeals(ctx, viewer.accountId, page.items))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/appeals/:id',
    returns: AdminAppeal,
    ...staff,
    scopes: read,
    params: one,
    handle: ({ ctx, viewer, params }) => show(ctx, viewer, params.id),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/appeals/:id/approve',
    returns: AdminAppeal,
    ...decide('approve'),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/appeals/:id/reject',
    returns: AdminAppeal,
    ...decide('reject'),
  }),
]
