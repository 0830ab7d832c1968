import type { ScheduledStatus } from '#entities/personal/scheduled-status.ts'
import type { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#lib/id.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { isHeld } from '#domain/content/spam/held-posts.ts'
import { waiting } from '#domain/content/statuses/publish/check-spam.ts'
import { viewScheduledStatus } from '#views/content/scheduled-statuses.ts'
import { loadStatusViews } from '#views/content/statuses.ts'

/**
 * A status or a scheduled one: a repeat gets what the first request made, whatever it asks for itself. What waits for staff
 * is told so each time.
 */
export async function viewMade(ctx: Ctx, viewer: Viewer, made: Id): Promise<Status | ScheduledStatus> {
  const status = (await loadStatusViews(ctx, viewer, [made])).get(made)
  if (!status && (await isHeld(ctx, viewer.accountId, made))) throw waiting()
  return status ?? viewScheduledStatus(ctx, viewer, made)
}
