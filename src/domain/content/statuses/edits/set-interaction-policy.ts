import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { ReplyPolicy, Viewer } from '#domain/identity/accounts/viewer.ts'
import { forbidden } from '#lib/errors.ts'
import { getVisibleOriginal } from '../queries.ts'
import { automaticGroups, chooseQuotePolicy, type QuotePolicy } from '../quote-policy.ts'
import { chooseReplyPolicy, replyGroups } from '../reply-policy.ts'
import type { StatusId } from '#lib/id.ts'

/** What is left out stays as it is; without any, who may quote becomes the author's usual choice. */
export interface InteractionPolicyInput {
  quotes?: QuotePolicy | undefined
  replies?: ReplyPolicy | undefined
}

/**
 * Changes who may quote and answer one's own status from now on; quotes and replies that exist stay. What is not open
 * to all stays closed to quotes. Throws `not_found`, and `forbidden` for statuses of others.
 */
export async function setInteractionPolicy(
  ctx: Ctx,
  viewer: Viewer,
  id: StatusId,
  { quotes, replies }: InteractionPolicyInput,
): Promise<StatusId> {
  const status = await getVisibleOriginal(ctx, viewer.accountId, id)
  if (status.account_id !== viewer.accountId) throw forbidden()
  const isQuotesKept = quotes === undefined && replies !== undefined
  const quoters = automaticGroups(chooseQuotePolicy(viewer, status.visibility, quotes))
  const repliers = replyGroups(chooseReplyPolicy(viewer, status.visibility, replies))
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      with wanted as (
        select s.id,
          case when ${isQuotesKept} then s.quote_automatic else ${quoters}::text[] end as quoters,
          case when ${isQuotesKept} then s.quote_manual else '{}' end as asking,
          case when ${replies === undefined} then s.reply_automatic else ${repliers}::text[] end as repliers
        from statuses s where s.id = ${status.id} and s.deleted_at is null for no key update)
      update statuses s
      set quote_automatic = w.quoters, quote_manual = w.asking, reply_automatic = w.repliers, version = s.version + 1
      from wanted w
      where s.id = w.id
        and (s.quote_automatic, s.quote_manual, s.reply_automatic) is distinct from (w.quoters, w.asking, w.repliers)
      returning s.id`.execute(tx.db)
    if (rows.length > 0) await tx.emit({ type: 'quote-policy.changed', statusId: status.id })
  })
  return status.id
}
