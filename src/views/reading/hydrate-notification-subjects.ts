import type { AccountWarning, Report } from '#entities/report.ts'
import type { Account } from '#entities/account.ts'
import type { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { loadReportYears } from '#domain/reading/annual-reports/queries.ts'
import { loadReports } from '#domain/trust/moderation/reports/reports.ts'
import { loadWarnings } from '#domain/trust/moderation/warnings.ts'
import type { NotificationRow } from '#domain/reading/notifications/queries.ts'
import { loadSeverances } from '#domain/social/relationships/severances.ts'
import { loadReactedEmojis } from '#domain/content/statuses/interactions/reactions.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { loadCollectionViews } from '../content/collections.ts'
import { isHidden } from '../content/filters.ts'
import { renderReactedEmoji } from '../content/reactions.ts'
import {
  renderReport,
  renderSeverance,
  renderWarning,
  type NotificationSubject,
} from './render-notification.ts'
import { loadStatusViews } from '../content/statuses.ts'
import type { AccountId, AccountWarningId, AnyId, ReportId, StatusId } from '#lib/id.ts'
import { valueOf } from '#lib/collections.ts'

/** What a list of notifications is about. */
export interface NotificationSubjects {
  statuses: ReadonlyMap<StatusId, Status>
  /** The keys that a notification has for its subject, or null when that is gone or a filter of the viewer hides it. */
  find(row: NotificationRow): NotificationSubject | null
}

type SubjectKey = Extract<keyof NotificationRow, `${string}_id`>

/** All subjects of these notifications, by a constant number of queries: none for kinds that are not among them. */
export async function loadNotificationSubjects(
  ctx: Ctx,
  viewer: Viewer,
  rows: readonly NotificationRow[],
): Promise<NotificationSubjects> {
  const idsOf = <Key extends SubjectKey>(key: Key): NonNullable<NotificationRow[Key]>[] => {
    const ids = new Set<NonNullable<NotificationRow[Key]>>()
    for (const row of rows) if (row[key] !== null) ids.add(row[key])
    return [...ids]
  }
  const [statuses, collections, reactions, years, severances, moderation] = await Promise.all([
    loadStatusViews(ctx, viewer, idsOf('status_id')),
    loadCollectionViews(ctx, viewer.accountId, idsOf('collection_id')),
    loadReactedEmojis(ctx, idsOf('reaction_id')),
    loadReportYears(ctx, idsOf('annual_report_id')),
    loadSeverances(ctx, idsOf('severance_id')),
    loadModeration(ctx, { warnings: idsOf('warning_id'), reports: idsOf('report_id') }),
  ])
  const finders: [key: SubjectKey, find: Finder][] = [
    ['status_id', (row) => subject(statuses, row.status_id, (status) => ({ status }))],
    ['collection_id', (row) => subject(collections, row.collection_id, (collection) => ({ collection }))],
    [
      'reaction_id',
      (row) => subject(reactions, row.reaction_id, (emoji) => renderReactedEmoji(ctx.config, emoji)),
    ],
    [
      'annual_report_id',
      (row) => subject(years, row.annual_report_id, (year) => ({ annual_report: { year: String(year) } })),
    ],
    [
      'severance_id',
      (row) => subject(severances, row.severance_id, (event) => ({ event: renderSeverance(event) })),
    ],
    [
      'warning_id',
      (row) => subject(moderation.warnings, row.warning_id, (warning) => ({ moderation_warning: warning })),
    ],
    ['report_id', (row) => subject(moderation.reports, row.report_id, (report) => ({ report }))],
  ]
  // Most pages are about statuses alone.
  const wanted = finders.flatMap(([key, find]) => (rows.some((row) => row[key] !== null) ? find : []))
  const isDropped = (row: NotificationRow) => isHidden(valueOf(statuses, row.status_id), 'notifications')
  return { statuses, find: (row) => (isDropped(row) ? null : findAll(wanted, row)) }
}

type Finder = (row: NotificationRow) => NotificationSubject | null

const nothing: NotificationSubject = Object.freeze({})

function findAll(finders: readonly Finder[], row: NotificationRow): NotificationSubject | null {
  let all = nothing
  for (const find of finders) {
    const found = find(row)
    if (found === null) return null
    all = all === nothing ? found : Object.assign({}, all, found)
  }
  return all
}

/** Nothing where there is nothing to find, null where it is gone. */
function subject<Id extends AnyId, T>(
  found: ReadonlyMap<Id, T>,
  id: Id | null,
  render: (value: T) => NotificationSubject,
): NotificationSubject | null {
  if (id === null) return nothing
  const value = found.get(id)
  return value === undefined ? null : render(value)
}

async function loadModeration(
  ctx: Ctx,
  ids: { warnings: readonly AccountWarningId[]; reports: readonly ReportId[] },
): Promise<{ warnings: Map<AccountWarningId, AccountWarning>; reports: Map<ReportId, Report> }> {
  const [warnings, reports] = await Promise.all([
    loadWarnings(ctx, ids.warnings),
    loadReports(ctx, ids.reports),
  ])
  const targets = [...warnings.values(), ...reports.values()].map((row) => row.target_account_id)
  const accounts = await loadAccountViews(ctx, [...new Set(targets)])
  return {
    warnings: renderEach(warnings, accounts, renderWarning),
    reports: renderEach(reports, accounts, renderReport),
  }
}

function renderEach<Id extends AnyId, T extends { target_account_id: AccountId }, View>(
  rows: ReadonlyMap<Id, T>,
  accounts: ReadonlyMap<AccountId, Account>,
  render: (row: T, target: Account) => View,
): Map<Id, View> {
  const views = new Map<Id, View>()
  for (const [id, row] of rows) {
    const target = accounts.get(row.target_account_id)
    if (target) views.set(id, render(row, target))
  }
  return views
}
