import { z } from 'zod'
import { NotificationPolicyV1 } from '#entities/notification.ts'
import { findPolicy, updatePolicy } from '#domain/reading/notifications/policy.ts'
import { truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewPolicyV1 } from '#views/reading/notification-policy.ts'

const path = '/api/v1/notifications/policy'
const valueOf = (filtered: boolean | undefined) =>
  filtered === undefined ? undefined : filtered ? 'filter' : 'accept'

export const routes = [
  route({
    method: 'GET',
    path,
    returns: NotificationPolicyV1,
    auth: 'user',
    scopes: ['read', 'read:notifications'],
    async handle({ ctx, viewer }) {
      return viewPolicyV1(ctx, viewer.accountId, await findPolicy(ctx, viewer.accountId))
    },
  }),
  route({
    method: 'PATCH',
    path,
    returns: NotificationPolicyV1,
    auth: 'user',
    scopes: ['write', 'write:notifications'],
    params: z.object({
      filter_not_following: truthy(),
      filter_not_followers: truthy(),
      filter_new_accounts: truthy(),
      filter_private_mentions: truthy(),
      filter_bots: truthy(),
    }),
    async handle({ ctx, viewer, params }) {
      const policy = await updatePolicy(ctx, viewer, {
        for_not_following: valueOf(params.filter_not_following),
        for_not_followers: valueOf(params.filter_not_followers),
        for_new_accounts: valueOf(params.filter_new_accounts),
        for_private_mentions: valueOf(params.filter_private_mentions),
        for_bots: valueOf(params.filter_bots),
      })
      return viewPolicyV1(ctx, viewer.accountId, policy)
    },
  }),
]
