import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { loadHiddenIds } from '../content/filtering.ts'
import type { StatusId } from '#lib/id.ts'

/** How many of the viewer's unread notifications, given by their statuses, none of their filters hides. */
export async function viewUnreadCount(ctx: Ctx, viewer: Viewer, subjects: readonly (StatusId | null)[]) {
  const ids = [...new Set(subjects.filter((id) => id !== null))]
  const hidden = await loadHiddenIds(ctx, viewer, ids, 'notifications')
  return { count: subjects.filter((id) => id === null || !hidden.has(id)).length }
}
