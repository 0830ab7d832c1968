import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { attachMedia, type MediaHolder } from '#domain/content/media/attach.ts'
import { insertPoll } from '#domain/content/polls/new-poll.ts'
import { recordHits } from '#domain/content/spam/hits.ts'
import { ensuredTags } from '#domain/content/tags/ensure-tags.ts'
import { countingFeatured } from '#domain/content/tags/featured-tags.ts'
import { claimIdempotencyKey, type Made } from './idempotency.ts'
import { insertStatus } from './insert-status.ts'
import { holdStatus, checkStatus, waiting } from './check-spam.ts'
import { prepareStatus, type PreparedStatus, type StatusInput } from './prepare-status.ts'
import { insertQuote } from '../quotes/make-quote.ts'
import { toParams } from './scheduled.ts'
import type { StatusId } from '#lib/id.ts'

/**
 * Publishes a status. Returns its id; a repeated idempotency key (kept for an hour) answers the first one's.
 * Throws as `prepareStatus`, and `invalid` when a rule against spam refuses it or keeps it for staff: under that key
 * there is then the post that waits.
 */
export async function createStatus(
  ctx: Ctx,
  viewer: Viewer,
  input: StatusInput,
  idempotencyKey: string | null = null,
): Promise<Made> {
  const prepared = await prepareStatus(ctx, viewer, input)
  const decision = await checkStatus(ctx, viewer, prepared)
  const { made, isHeld } = await ctx.transaction(async (tx): Promise<{ made: Made; isHeld: boolean }> => {
    const earlier = await claimIdempotencyKey(tx, viewer.accountId, idempotencyKey, [prepared.id])
    if (earlier) return { made: earlier, isHeld: false }
    if (decision?.action === 'hold') {
      const { applicationId } = input
      await holdStatus(tx, decision, prepared, { params: toParams(viewer, input, prepared), applicationId })
      return { made: [prepared.id], isHeld: true }
    }
    await publishStatus(tx, prepared)
    if (decision) await recordHits(tx, decision, { accountId: viewer.accountId, statusId: prepared.id })
    return { made: [prepared.id], isHeld: false }
  })
  if (isHeld) throw waiting()
  return made
}

/** The rows of a status and the event that all consequences follow from. `holder`: what kept its media until now. */
export async function publishStatus(
  tx: Tx,
  prepared: PreparedStatus,
  holder: MediaHolder = {},
): Promise<void> {
  const status = { id: prepared.id, accountId: prepared.accountId }
  await insertStatus(tx, prepared)
  await attachMedia(tx, status, prepared.mediaIds, holder)
  if (prepared.poll) {
    const pollId = await insertPoll(tx, status, prepared.poll)
    await sql`update statuses set poll_id = ${pollId} where id = ${prepared.id}`.execute(tx.db)
  }
  if (prepared.quote) await insertQuote(tx, status, prepared.quote)
  await attachTags(tx, prepared.id, prepared.hashtags)
  await tx.emit({ type: 'status.created', statusId: prepared.id })
}

/**
 * Files the status under hashtags that it did not have so far. They come to be when they are new. `usedAt`: when it was
 * written, in milliseconds.
 */
export async function attachTags(
  tx: Tx,
  statusId: StatusId,
  hashtags: readonly { name: string; display: string }[],
  usedAt?: number,
): Promise<void> {
  if (hashtags.length === 0) return
  await sql`
    with ${ensuredTags(tx, hashtags, usedAt)},
    filed as (
      insert into status_tags (tag_id, status_id) select id, ${statusId} from ensured on conflict do nothing)
    ${countingFeatured(statusId, sql`select id from ensured`, 1)}`.execute(tx.db)
}
