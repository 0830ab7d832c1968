import type { AccountWarning, Report } from '#entities/report.ts'
import type { Account } from '#entities/account.ts'
import type { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { loadReportYears } from '#domain/reading/annual-reports/queries.ts'
import { loadReports } from '#domain/trust/moderation/reports/reports.ts'
import { loadWarnings } from '#domain/trust/moderation/warnings.ts'
import type { StatusState } from '#domain/content/statuses/load-viewer-state.ts'
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
import { loadStatusViews, renderSeen } from '../content/statuses.ts'
import type { AccountId, AccountWarningId, AnyId, ReportId, StatusId } from '#lib/id.ts'
import { valueOf } from '#lib/collections.ts'

/** What a list of notifications is about. */
export interface NotificationSubjects {
  statuses: ReadonlyMap<StatusId, Status>
  /** The keys that a notification has for its subject, or null when that is gone or a filter of the viewer hides it. */
  find(row: NotificationRow): NotificationSubject | null
}

type SubjectKey = Extract<keyof NotificationRow, `${string}_id`>

/**
 * All subjects of these notifications, by a constant number of queries: none for kinds that are not among them. `states`: of
 * their statuses, where they were read.
 */
export async function loadNotificationSubjects(
  ctx: Ctx,
  viewer: Viewer,
  rows: readonly NotificationRow[],
  states?: ReadonlyMap<StatusId, StatusState>,
): Promise<NotificationSubjects> {
  const idsOf = <Key extends SubjectKey>(key: Key): NonNullable<NotificationRow[Key]>[] => [
    ...new Set(rows.flatMap((row) => row[key] ?? [])),
  ]
  const [statuses, collections, reactions, years, severances, moderation] = await Promise.all([
    states
      ? renderSeen(ctx, viewer, { items: idsOf('status_id'), states })
      : loadStatusViews(ctx, viewer, idsOf('status_id')),
    loadCollectionViews(ctx, viewer.accountId, idsOf('collection_id')),
    loadReactedEmojis(ctx, idsOf('reaction_id')),
    loadReportYears(ctx, idsOf('annual_report_id')),
    loadSeverances(ctx, idsOf('severance_id')),
    loadModeration(ctx, { warnings: idsOf('warning_id'), reports: idsOf('report_id') }),
  ])
  const finders = [
    createFinder('status_id', statuses, (status) => ({ status })),
    createFinder('collection_id', collections, (collection) => ({ collection })),
    createFinder('reaction_id', reactions, (emoji) => renderReactedEmoji(ctx.config, emoji)),
    createFinder('annual_report_id', years, (year) => ({ annual_report: { year: String(year) } })),
    createFinder('severance_id', severances, (event) => ({ event: renderSeverance(event) })),
    createFinder('warning_id', moderation.warnings, (warning) => ({ moderation_warning: warning })),
    createFinder('report_id', moderation.reports, (report) => ({ report })),
  ]
  const isDropped = (row: NotificationRow) => isHidden(valueOf(statuses, row.status_id), 'notifications')
  return { statuses, find: (row) => (isDropped(row) ? null : findAll(finders, row)) }
}

type Finder = (row: NotificationRow) => NotificationSubject | null

const nothing: NotificationSubject = Object.freeze({})

/** Finds nothing where there is nothing to find, null where it is gone. */
function createFinder<Key extends SubjectKey, T>(
  key: Key,
  found: ReadonlyMap<NonNullable<NotificationRow[Key]>, T>,
  render: (value: T) => NotificationSubject,
): Finder {
  return (row) => {
    const id = row[key]
    if (id === null) return nothing
    const value = found.get(id)
    return value === undefined ? null : render(value)
  }
}

function findAll(finders: readonly Finder[], row: NotificationRow): NotificationSubject | null {
  let all = nothing
  for (const find of finders) {
    const found = find(row)
    if (found === null) return null
    if (found !== nothing) all = all === nothing ? found : { ...all, ...found }
  }
  return all
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
