import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { forbidden } from '#lib/errors.ts'
import { getVisibleOriginal } from '../queries.ts'
import { automaticGroups, chooseQuotePolicy, type QuotePolicy } from '../quote-policy.ts'
import type { StatusId } from '#lib/id.ts'

/**
 * Changes who may quote one's own status from now on; quotes that exist stay. Without a policy it becomes the
 * author's usual one. What is not open to all stays closed to quotes. Throws `not_found`, and `forbidden` for
 * statuses of others.
 */
export async function setQuotePolicy(
  ctx: Ctx,
  viewer: Viewer,
  id: StatusId,
  asked: QuotePolicy | undefined,
): Promise<StatusId> {
  const status = await getVisibleOriginal(ctx, viewer.accountId, id)
  if (status.account_id !== viewer.accountId) throw forbidden()
  const groups = automaticGroups(chooseQuotePolicy(viewer, status.visibility, asked))
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update statuses set quote_automatic = ${groups}::text[], quote_manual = '{}', version = version + 1
      where id = ${status.id} and deleted_at is null
        and (quote_automatic <> ${groups}::text[] or quote_manual <> '{}')
      returning id`.execute(tx.db)
    if (rows.length > 0) await tx.emit({ type: 'quote-policy.changed', statusId: status.id })
  })
  return status.id
}
