// Who may quote and answer a post, as it says itself.
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import type { Content, QuotePolicy, ReplyPolicy } from './content.ts'

export const quotePolicies: readonly QuotePolicy[] = ['public', 'followers', 'nobody']
export const replyPolicies: readonly ReplyPolicy[] = ['public', 'followers', 'following', 'mentioned']

/** What an author chose for a post. */
export function policiesOf({
  quote_approval: quotes,
  interaction_policy: policy,
}: Status): Pick<Content, 'quotePolicy' | 'replyPolicy'> {
  const groups = policy?.can_reply.always ?? ['public']
  return {
    quotePolicy: quotePolicies.find((one) => quotes.automatic.includes(one)) ?? 'nobody',
    replyPolicy: replyPolicies.find((one) => groups.includes(one)) ?? 'mentioned',
  }
}

/** Why one may not answer a post; null where one may. */
export function replyRefusal({ interaction_policy: policy }: Status): string | null {
  if (policy?.can_reply.current_user !== 'denied') return null
  const { always } = policy.can_reply
  const groups = replyPolicies.filter((one) => always.includes(one) && one !== 'mentioned')
  const [group = 'mentioned'] = groups
  return groups.length > 1 || group === 'public' ? t.post.repliesClosed.mentioned : t.post.repliesClosed[group]
}
