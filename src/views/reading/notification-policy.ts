import type { NotificationPolicy, NotificationPolicyV1 } from '#entities/notification.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { countPending, type NotificationPolicy as Policy } from '#domain/reading/notifications/policy.ts'

/** NotificationPolicy (https://docs.joinmastodon.org/entities/NotificationPolicy/). */
export async function viewPolicy(ctx: Ctx, accountId: Id, policy: Policy): Promise<NotificationPolicy> {
  return { ...policy, summary: await countPending(ctx, accountId) }
}

/** V1::NotificationPolicy (https://docs.joinmastodon.org/entities/V1_NotificationPolicy/): whether anything is kept away. */
export async function viewPolicyV1(ctx: Ctx, accountId: Id, policy: Policy): Promise<NotificationPolicyV1> {
  return {
    filter_not_following: policy.for_not_following !== 'accept',
    filter_not_followers: policy.for_not_followers !== 'accept',
    filter_new_accounts: policy.for_new_accounts !== 'accept',
    filter_private_mentions: policy.for_private_mentions !== 'accept',
    filter_bots: policy.for_bots !== 'accept',
    summary: await countPending(ctx, accountId),
  }
}
