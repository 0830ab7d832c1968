import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { forbidden, notFound } from '#lib/errors.ts'
import { getVisibleOriginal } from '../queries.ts'
import type { StatusId } from '#lib/id.ts'

/**
 * Takes back the consent to a quote of one's own status. Idempotent. One that still waits for it is rejected.
 * Authors may do so whether or not they can see who quotes them: nobody keeps a quote by blocking its author.
 * Throws `not_found` where the one does not quote the other, and `forbidden` for quotes of other people's statuses.
 */
export async function revokeQuote(
  ctx: Ctx,
  viewer: Viewer,
  { quotedId, quotingId }: { quotedId: StatusId; quotingId: StatusId },
): Promise<StatusId> {
  const quoted = await getVisibleOriginal(ctx, viewer.accountId, quotedId)
  if (quoted.account_id !== viewer.accountId) throw forbidden()
  await ctx.transaction(async (tx) => {
    const held = await endQuote(tx, quoted.id, quotingId)
    if (!held) throw notFound()
    if (held.ended) await tx.emit({ type: 'quote.revoked', statusId: quotingId, quotedStatusId: quoted.id })
  })
  return quotingId
}

/** Both rows are locked first: a deletion of the quoting status counts down too. */
async function endQuote(
  tx: Tx,
  quotedId: StatusId,
  quotingId: StatusId,
): Promise<{ ended: boolean } | undefined> {
  const { rows } = await sql<{ ended: boolean }>`
    with held as (
      select q.status_id, q.state, q.state in ('accepted', 'pending') as ended
      from quotes q join statuses s on s.id = q.status_id
      where q.status_id = ${quotingId} and q.quoted_status_id = ${quotedId} and s.deleted_at is null
      for no key update),
    gone as (
      update quotes q set updated_at = ${new Date(tx.clock.now())},
        state = case held.state when 'accepted' then 'revoked' else 'rejected' end
      from held where q.status_id = held.status_id and held.ended),
    counted as (
      update status_stats set quotes_count = greatest(0, quotes_count - 1)
      where status_id = ${quotedId} and exists (select 1 from held where held.state = 'accepted')),
    shown as (
      update statuses s set version = s.version + 1 from held where s.id = held.status_id and held.ended)
    select ended from held`.execute(tx.db)
  return rows[0]
}
