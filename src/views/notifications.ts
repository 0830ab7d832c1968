import type { Config, Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import type { Viewer } from '#domain/accounts/viewer.ts'
import { loadReportYears } from '#domain/annual-reports/queries.ts'
import type { NotificationRow } from '#domain/notifications/queries.ts'
import { loadReactedEmojis, type ReactedEmoji } from '#domain/statuses/reactions.ts'
import { notFound } from '#lib/errors.ts'
import { formatTime } from '#lib/time.ts'
import { loadAccountViews, type AccountJson } from './accounts.ts'
import { loadCollectionViews } from './collections.ts'
import { renderReactedEmoji } from './reactions.ts'
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
  const idsOf = (key: 'status_id' | 'collection_id' | 'reaction_id' | 'annual_report_id') => [
    ...new Set(rows.flatMap((row) => row[key] ?? [])),
  ]
  const [accounts, statuses, collections, reactions, years] = await Promise.all([
    loadAccountViews(ctx, accountIds),
    loadStatusViews(ctx, viewer, idsOf('status_id')),
    loadCollectionViews(ctx, viewer.accountId, idsOf('collection_id')),
    loadReactedEmojis(ctx, idsOf('reaction_id')),
    loadReportYears(ctx, idsOf('annual_report_id')),
  ])
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id)
    const status = find(statuses, row.status_id)
    const collection = find(collections, row.collection_id)
    const reaction = find(reactions, row.reaction_id)
    const year = find(years, row.annual_report_id)
    if (!account || status === undefined || collection === undefined) return []
    if (reaction === undefined || year === undefined) return []
    return [renderNotification(ctx.config, { row, account, status, collection, reaction, year })]
  })
}

/** null: there is nothing to find. undefined: it is gone. */
function find<T>(found: ReadonlyMap<Id, T>, id: Id | null): T | null | undefined {
  return id === null ? null : found.get(id)
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

interface NotificationParts {
  row: NotificationRow
  account: AccountJson
  status: StatusJson | null
  collection: object | null
  reaction: ReactedEmoji | null
  year: number | null
}

/**
 * Notification (https://docs.joinmastodon.org/entities/Notification/). Kinds that are not about a status, a collection
 * and so on lack the key. `emoji` and `emoji_url` are Pleroma's.
 */
function renderNotification(config: Config, parts: NotificationParts): NotificationJson {
  const { row, account, status, collection, reaction, year } = parts
  return {
    id: row.id,
    type: row.type,
    created_at: formatTime(row.created_at),
    group_key: row.group_key,
    ...(row.filtered && { filtered: true }),
    account,
    ...(status && { status }),
    ...(collection && { collection }),
    ...(reaction && renderReactedEmoji(config, reaction)),
    ...(year !== null && { annual_report: { year: String(year) } }),
  }
}
