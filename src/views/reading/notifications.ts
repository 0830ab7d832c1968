import type { Notification } from '#entities/notification.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { NotificationRow } from '#domain/reading/notifications/queries.ts'
import type { StatusState } from '#domain/content/statuses/load-viewer-state.ts'
import { loadQuotes } from '#domain/content/statuses/quotes/load.ts'
import { notFound } from '#lib/errors.ts'
import { languageOf } from '#lib/messages/pick-language.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { loadNotificationSubjects } from './hydrate-notification-subjects.ts'
import { renderNotification } from './render-notification.ts'
import { fallbackFor } from './render-notification-fallback.ts'
import type { StatusId } from '#lib/id.ts'

/** `supportedTypes`: the kinds that the app knows; for others it gets words. Without it, for none. */
export interface NotificationOptions {
  supportedTypes?: readonly string[] | undefined
  /** What the viewer sees of the statuses, where that was read. */
  states?: ReadonlyMap<StatusId, StatusState> | undefined
}

/** Notifications in their order, by a constant number of queries. Those whose subject is gone are left out. */
export async function viewNotifications(
  ctx: Ctx,
  viewer: Viewer,
  rows: readonly NotificationRow[],
  { supportedTypes, states }: NotificationOptions = {},
): Promise<Notification[]> {
  const [accounts, subjects] = await Promise.all([
    loadAccountViews(ctx, [...new Set(rows.map((row) => row.from_account_id))]),
    loadNotificationSubjects(ctx, viewer, rows, states),
  ])
  const language = languageOf(viewer.locale)
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    const subject = subjects.find(row)
    if (!account || !subject) return []
    const fallback = fallbackFor(row.type, { supportedTypes, language }, { account, subject })
    return [renderNotification({ row, account, subject, fallback })]
  })
}

/**
 * One notification, as it is told; null when its subject is gone. That the viewer is named in what it is about, or that
 * this was edited, may not have come to this process yet, and who is told keeps what they got.
 */
export async function findNotificationView(
  ctx: Ctx,
  viewer: Viewer,
  row: NotificationRow,
  options: NotificationOptions = {},
): Promise<Notification | null> {
  const editedId = await findEdited(ctx, row)
  ctx.changes.hear([`deeds ${viewer.accountId}`, ...(editedId === null ? [] : [`status ${editedId}`])])
  const [view] = await viewNotifications(ctx, viewer, [row], options)
  return view ?? null
}

/** The status of whose edit it tells: the one that it shows, or what that one quotes. */
async function findEdited(ctx: Ctx, { type, status_id: id }: NotificationRow): Promise<StatusId | null> {
  if (type === 'update') return id
  if (type !== 'quoted_update' || id === null) return null
  return (await loadQuotes(ctx, [id])).get(id)?.quoted_status_id ?? null
}

/** The same. Throws `not_found` when its subject is gone. */
export async function viewNotification(
  ...of: Parameters<typeof findNotificationView>
): Promise<Notification> {
  const view = await findNotificationView(...of)
  if (!view) throw notFound()
  return view
}
