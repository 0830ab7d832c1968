// What staff let through after all.
import type { Ctx } from '#ports/ctx.ts'
import type { Staff } from '#domain/server/audit/record.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import {
  getHeldInput,
  getHeldPost,
  releaseRemotePost,
  takeHeldPost,
} from '#domain/content/spam/held-posts.ts'
import { publishStatus } from './create-status.ts'
import { moveIdempotencyKeys } from './idempotency.ts'
import { prepareStatus } from './prepare-status.ts'
import { assertMayPublish } from './publish-scheduled.ts'
import type { ScheduledParams } from './scheduled.ts'
import type { HeldPostId } from '#lib/id.ts'

/**
 * Publishes a post that waited, whatever the rules against spam say of it. One of this server is held against what its
 * author may do now; one of another comes in as if it had just come. Throws `not_found`, and `forbidden` or `invalid`
 * where its author could not publish it now.
 */
export async function releaseHeldPost(ctx: Ctx, staff: Staff, id: HeldPostId): Promise<void> {
  const held = await getHeldPost(ctx, id)
  if (held.uri !== null) return releaseRemotePost(ctx, staff, id)
  const { account_id: accountId, application_id: applicationId, params } = await getHeldInput(ctx, id)
  const viewer = await findViewer(ctx, accountId)
  assertMayPublish(viewer)
  const prepared = await prepareStatus(ctx, viewer, { ...(params as ScheduledParams), applicationId })
  await ctx.transaction(async (tx) => {
    await takeHeldPost(tx, staff, id)
    await publishStatus(tx, prepared)
    await moveIdempotencyKeys(tx, accountId, { from: id, to: prepared.id })
  })
}
