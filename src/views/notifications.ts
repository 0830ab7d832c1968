import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/accounts/viewer.ts'
import type { NotificationRow } from '#domain/notifications/queries.ts'
import { notFound } from '#lib/errors.ts'
import { formatTime } from '#lib/time.ts'
import { loadAccountViews, type AccountJson } from './accounts.ts'
import type { StatusJson } from './render/status.ts'
import { loadStatusViews } from './statuses.ts'

export type NotificationJson = Record<string, unknown>

/** Notifications in their order, by a constant number of queries. Those whose subject is gone are left out. */
export async function viewNotifications(
  ctx: Ctx,
  viewer: Viewer,
  rows: readonly NotificationRow[],
): Promise<NotificationJson[]> {
  const accountIds = [...new Set(rows.map((row) => row.from_account_id))]
  const statusIds = [...new Set(rows.flatMap((row) => row.status_id ?? []))]
  const [accounts, statuses] = await Promise.all([
    loadAccountViews(ctx, accountIds),
    loadStatusViews(ctx, viewer, statusIds),
  ])
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    const status = row.status_id === null ? null : statuses.get(row.status_id)
    return account && status !== undefined ? [renderNotification(row, account, status)] : []
  })
}

/** One notification. Throws `not_found` when its subject is gone. */
export async function viewNotification(
  ctx: Ctx,
  viewer: Viewer,
  row: NotificationRow,
): Promise<NotificationJson> {
  const [view] = await viewNotifications(ctx, viewer, [row])
  if (!view) throw notFound()
  return view
}

/** Notification (https://docs.joinmastodon.org/entities/Notification/). Kinds without a status lack the key. */
function renderNotification(
  row: NotificationRow,
  account: AccountJson,
  status: StatusJson | null,
): NotificationJson {
  return {
    id: row.id,
    type: row.type,
    created_at: formatTime(row.created_at),
    group_key: row.group_key,
    ...(row.filtered && { filtered: true }),
    account,
    ...(status && { status }),
  }
}
