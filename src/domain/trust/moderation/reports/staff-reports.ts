// Reports as staff see and settle them.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction, recordActions, type Action } from '#domain/server/audit/record.ts'
import { requireRules } from './create-report.ts'
import type { Category, ReportRow } from './reports.ts'
import type { AccountId, ReportId, RuleId } from '#lib/id.ts'

export interface StaffReportRow extends ReportRow {
  /** Who made it. Null when they are gone. */
  account_id: AccountId | null
  assigned_account_id: AccountId | null
  action_taken_by_account_id: AccountId | null
  updated_at: Date
}

const columns = sql`p.id, p.account_id, p.target_account_id, p.category, p.comment, p.status_ids, p.rule_ids,
  p.collection_ids, p.forwarded, p.assigned_account_id, p.action_taken_by_account_id, p.action_taken_at, p.created_at,
  p.updated_at`

/** Those about accounts that are gone for good are of no use to anybody. */
const isOfUse = sql`exists (
  select 1 from accounts t where t.id = p.target_account_id and t.deleted_at is null offset 0)`

export interface ReportFilter {
  /** Those that are settled, instead of those that wait. */
  resolved?: boolean | undefined
  /** Who made it. */
  accountId?: AccountId | undefined
  targetAccountId?: AccountId | undefined
  category?: Category | undefined
  /** Of this server, or of others. */
  origin?: 'local' | 'remote' | undefined
  /** Just this domain. */
  targetDomain?: string | undefined
  /** Who looks into it; null: nobody. */
  assigneeId?: AccountId | null | undefined
}

/** Reports, newest first. */
export async function listReports(
  reader: Reader,
  filter: ReportFilter,
  page: PageRequest,
): Promise<Page<StaffReportRow>> {
  const conditions: RawBuilder<unknown>[] = [
    ...conditionsOf(filter),
    filter.resolved ? sql`p.action_taken_at is not null` : sql`p.action_taken_at is null`,
    isOfUse,
    inPage('p.id', page),
  ]
  const { rows } = await sql<StaffReportRow>`
    select ${columns} from reports p where ${sql.join(conditions, sql` and `)}
    ${orderAndLimit('p.id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

function conditionsOf(filter: ReportFilter): RawBuilder<unknown>[] {
  const { accountId, targetAccountId, category, origin, assigneeId } = filter
  const domain = filter.targetDomain?.trim()
  const isOf = (condition: RawBuilder<unknown>) =>
    sql`exists (select 1 from accounts t where t.id = p.target_account_id and ${condition} offset 0)`
  return [
    ...(accountId === undefined ? [] : [sql`p.account_id = ${accountId}`]),
    ...(targetAccountId === undefined ? [] : [sql`p.target_account_id = ${targetAccountId}`]),
    ...(category === undefined ? [] : [sql`p.category = ${category}`]),
    ...(origin === undefined
      ? []
      : [isOf(origin === 'local' ? sql`t.domain is null` : sql`t.domain is not null`)]),
    ...(domain ? [isOf(sql`t.domain = ${normaliseDomain(domain) ?? ''}`)] : []),
    ...(assigneeId === undefined
      ? []
      : [sql`p.assigned_account_id is not distinct from ${assigneeId}::bigint`]),
  ]
}

/** Throws `not_found`. */
export async function getReport(reader: Reader, id: ReportId): Promise<StaffReportRow> {
  const { rows } =
    await sql<StaffReportRow>`select ${columns} from reports p where p.id = ${id} and ${isOfUse}`.execute(
      reader.db,
    )
  if (!rows[0]) throw notFound()
  return rows[0]
}

export interface ReportChange {
  category?: Category | undefined
  ruleIds?: readonly RuleId[] | undefined
}

/**
 * Puts a report into another category. Rules make it a violation, and only a violation has any. Throws `not_found`, and
 * `invalid` for unknown rules.
 */
export async function updateReport(
  ctx: Ctx,
  staff: ActingStaff,
  id: ReportId,
  change: ReportChange,
): Promise<StaffReportRow> {
  const ruleIds = change.ruleIds && (await requireRules(ctx, change.ruleIds))
  return changeReport(ctx, staff, id, (before) => {
    const category = ruleIds && ruleIds.length > 0 ? 'violation' : (change.category ?? before.category)
    const rules = ruleIds ?? (category === 'violation' ? before.rule_ids : [])
    return {
      set: sql`category = ${category}, rule_ids = ${rules}::bigint[]`,
      action: 'update',
      details: { category, rule_ids: rules },
    }
  })
}

/** Says who of staff looks into it; null: nobody any more. Throws `not_found`. */
export async function assignReport(
  ctx: Ctx,
  staff: ActingStaff,
  id: ReportId,
  assigneeId: AccountId | null,
): Promise<StaffReportRow> {
  return changeReport(ctx, staff, id, () => ({
    set: sql`assigned_account_id = ${assigneeId}`,
    action: assigneeId === null ? 'unassigned' : 'assigned_to_self',
  }))
}

/** Settles a report. Throws `not_found`. */
export async function resolveReport(ctx: Ctx, staff: ActingStaff, id: ReportId): Promise<StaffReportRow> {
  return changeReport(ctx, staff, id, () => ({ set: settled(ctx, staff), action: 'resolve' }))
}

/** Settles reports, together with what settles them: however many there are. */
export async function resolveReportsIn(tx: Tx, staff: ActingStaff, ids: readonly ReportId[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update reports set ${settled(tx, staff)}, updated_at = ${new Date(tx.clock.now())}
    where id = any(${ids}::bigint[])`.execute(tx.db)
  await recordActions(
    tx,
    staff,
    ids.map((id) => toAction('resolve', id)),
  )
  for (const id of ids) await tx.emit({ type: 'report.updated', reportId: id })
}

function settled({ clock }: Pick<Reader, 'clock'>, staff: ActingStaff): RawBuilder<unknown> {
  const by = typeof staff === 'string' ? null : staff.accountId
  return sql`action_taken_at = ${new Date(clock.now())}, action_taken_by_account_id = ${by}`
}

/** Makes a report wait for staff again. Throws `not_found`. */
export async function reopenReport(ctx: Ctx, staff: ActingStaff, id: ReportId): Promise<StaffReportRow> {
  return changeReport(ctx, staff, id, () => ({
    set: sql`action_taken_at = null, action_taken_by_account_id = null`,
    action: 'reopen',
  }))
}

/** What becomes of a report. */
type Decide = (before: StaffReportRow) => Pick<Action, 'action' | 'details'> & { set: RawBuilder<unknown> }

const changeReport = (ctx: Ctx, staff: ActingStaff, id: ReportId, decide: Decide) =>
  ctx.transaction(async (tx) => {
    const { rows: found } = await sql<StaffReportRow>`
      select ${columns} from reports p where p.id = ${id} and ${isOfUse} for no key update of p`.execute(
      tx.db,
    )
    const before = found[0]
    if (!before) throw notFound()
    const { set, ...action } = decide(before)
    const now = new Date(tx.clock.now())
    const { rows } = await sql<StaffReportRow>`
      update reports p set ${set}, updated_at = ${now} where p.id = ${id} returning ${columns}`.execute(tx.db)
    await recordAction(tx, staff, { ...toAction(action.action, id), ...action })
    await tx.emit({ type: 'report.updated', reportId: id })
    return rows[0] as StaffReportRow
  })

const toAction = (action: string, id: ReportId): Action => ({
  action,
  targetType: 'report',
  targetId: id,
  label: `#${id}`,
})
