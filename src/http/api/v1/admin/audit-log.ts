import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminAction } from '#entities/admin/server.ts'
import { listActions } from '#domain/server/audit/queries.ts'
import { pageOf, paging, reference, text } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewActions } from '#views/server/audit-log.ts'
import type { AccountId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/audit_log',
    returns: listOf(AdminAction),
    auth: 'user',
    replicated: true,
    permission: 'view_audit_log',
    scopes: ['admin:read'],
    params: z.object({
      account_id: reference<AccountId>(),
      action: text(),
      target_type: text(),
      target_id: reference(),
      ...paging(100),
    }),
    async handle({ ctx, params }) {
      const filter = {
        accountId: params.account_id,
        action: params.action || undefined,
        targetType: params.target_type || undefined,
        targetId: params.target_id,
      }
      const page = await listActions(ctx, filter, pageOf(params))
      return listed(page, await viewActions(ctx, page.items))
    },
  }),
]
