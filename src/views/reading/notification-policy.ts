import type { NotificationPolicy, NotificationPolicyV1 } from '#entities/notification.ts'
import type { Ctx } from '#ports/ctx.ts'
import { countPending, type NotificationPolicy as Policy } from '#domain/reading/notifications/policy.ts'
import type { AccountId } from '#lib/id.ts'

/** NotificationPolicy (https://docs.joinmastodon.org/entities/NotificationPolicy/). */
export async function viewPolicy(
  ctx: Ctx,
  accountId: AccountId,
  policy: Policy,
): Promise<NotificationPolicy> {
  return { ...policy, summary: await countPending(ctx, accountId) }
}

/** V1::NotificationPolicy (https://docs.joinmastodon.org/entities/V1_NotificationPolicy/): whether anything is kept away. */
export async function viewPolicyV1(
  ctx: Ctx,
  accountId: AccountId,
  policy: Policy,
): Promise<NotificationPolicyV1> {
  return {
    filter_not_following: policy.for_not_following !== 'accept',
    filter_not_followers: policy.for_not_followers !== 'accept',
    filter_new_accounts: policy.for_new_accounts !== 'accept',
    filter_private_mentions: policy.for_private_mentions !== 'accept',
    filter_bots: policy.for_bots !== 'accept',
    summary: await countPending(ctx, accountId),
  }
}
