import { z } from 'zod'
import { NotificationPolicy } from '#entities/notification.ts'
import { findPolicy, policyValues, updatePolicy } from '#domain/reading/notifications/policy.ts'
import { word } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewPolicy } from '#views/reading/notification-policy.ts'

const path = '/api/v2/notifications/policy'
const value = () => word(policyValues)

export const routes = [
  route({
    method: 'GET',
    path,
    returns: NotificationPolicy,
    auth: 'user',
    scopes: ['read', 'read:notifications'],
    async handle({ ctx, viewer }) {
      return viewPolicy(ctx, viewer.accountId, await findPolicy(ctx, viewer.accountId))
    },
  }),
  route({
    method: 'PATCH',
    path,
    returns: NotificationPolicy,
    auth: 'user',
    scopes: ['write', 'write:notifications'],
    params: z.object({
      for_not_following: value(),
      for_not_followers: value(),
      for_new_accounts: value(),
      for_private_mentions: value(),
      for_limited_accounts: value(),
      for_bots: value(),
    }),
    async handle({ ctx, viewer, params }) {
      return viewPolicy(ctx, viewer.accountId, await updatePolicy(ctx, viewer, params))
    },
  }),
]
