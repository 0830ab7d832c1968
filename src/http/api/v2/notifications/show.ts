import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Account } from '#entities/account.ts'
import { Empty } from '#entities/empty.ts'
import { GroupedNotificationsResults } from '#entities/notification.ts'
import { getGroup, listGroupAccounts } from '#domain/reading/notifications/groups.ts'
import { dismissGroup } from '#domain/reading/notifications/remove.ts'
import { pageOf, paging } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import { viewGroup } from '#views/reading/notification-groups.ts'
import { supportedParam } from '../../v1/notifications/params.ts'

const scopes = ['read', 'read:notifications']
const key = { group_key: z.string() }

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/notifications/:group_key',
    returns: GroupedNotificationsResults,
    auth: 'user',
    scopes,
    params: z.object({ ...key, ...supportedParam }),
    async handle({ ctx, viewer, params }) {
      const group = await getGroup(ctx, viewer, params.group_key)
      return viewGroup(ctx, viewer, group, { supportedTypes: params.supported_types })
    },
  }),
  route({
    method: 'GET',
    path: '/api/v2/notifications/:group_key/accounts',
    returns: listOf(Account),
    auth: 'user',
    replicated: true,
    scopes,
    params: z.object({ ...key, ...paging(40) }),
    async handle({ ctx, viewer, params }) {
      const page = await listGroupAccounts(ctx, viewer, params.group_key, pageOf(params))
      return listed(page, await viewAccounts(ctx, page.items))
    },
  }),
  route({
    method: 'POST',
    path: '/api/v2/notifications/:group_key/dismiss',
    returns: Empty,
    auth: 'user',
    scopes: ['write', 'write:notifications'],
    params: z.object(key),
    async handle({ ctx, viewer, params }) {
      await dismissGroup(ctx, viewer, params.group_key)
      return {}
    },
  }),
]
