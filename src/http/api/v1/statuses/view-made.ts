import type { ScheduledStatus } from '#entities/personal/scheduled-status.ts'
import type { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { isHeld } from '#domain/content/spam/held-posts.ts'
import type { MadeId } from '#domain/content/statuses/publish/idempotency.ts'
import { waiting } from '#domain/content/statuses/publish/check-spam.ts'
import { viewScheduledStatus } from '#views/content/scheduled-statuses.ts'
import { loadStatusViews } from '#views/content/statuses.ts'
import { sameId, type StatusId } from '#lib/id.ts'

/**
 * A status or a scheduled one: a repeat gets what the first request made, whatever it asks for itself. What waits for staff
 * is told so each time.
 */
export async function viewMade(ctx: Ctx, viewer: Viewer, made: MadeId): Promise<Status | ScheduledStatus> {
  const id = sameId<StatusId>(made)
  const status = (await loadStatusViews(ctx, viewer, [id])).get(id)
  if (!status && (await isHeld(ctx, viewer.accountId, sameId(made)))) throw waiting()
  return status ?? viewScheduledStatus(ctx, viewer, sameId(made))
}
