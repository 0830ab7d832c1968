import type { NotificationRequest } from '#entities/notification.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { RequestRow } from '#domain/reading/notifications/requests.ts'
import { notFound } from '#lib/errors.ts'
import { formatTime } from '#lib/time/time.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { isHidden } from '../content/filters.ts'
import { loadStatusViews } from '../content/statuses.ts'
import { valueOf } from '#lib/collections.ts'

/**
 * NotificationRequests (https://docs.joinmastodon.org/entities/NotificationRequest/) in their order, by a constant
 * number of queries. Those of which a filter of the viewer hides the only status are left out.
 */
export async function viewRequests(
  ctx: Ctx,
  viewer: Viewer,
  rows: readonly RequestRow[],
): Promise<NotificationRequest[]> {
  const [accounts, statuses] = await Promise.all([
    loadAccountViews(
      ctx,
      rows.map((row) => row.from_account_id),
    ),
    loadStatusViews(ctx, viewer, [...new Set(rows.flatMap((row) => row.last_status_id ?? []))]),
  ])
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    const status = valueOf(statuses, row.last_status_id) ?? null
    const hidden = isHidden(status, 'notifications')
    if (!account || (hidden && row.notifications_count === 1)) return []
    return [
      {
        id: row.id,
        created_at: formatTime(row.created_at),
        updated_at: formatTime(row.updated_at),
        notifications_count: String(row.notifications_count),
        account,
        last_status: hidden ? null : status,
      },
    ]
  })
}

/** One of them. Throws `not_found`. */
export async function viewRequest(ctx: Ctx, viewer: Viewer, row: RequestRow): Promise<NotificationRequest> {
  const [view] = await viewRequests(ctx, viewer, [row])
  if (!view) throw notFound()
  return view
}
