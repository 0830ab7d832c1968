// What staff decide about an account: one transaction with the strike, the limit, what it settles and who did it.
import type { Decision } from './warnings.ts'
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { forbidden, invalid, notFound } from '#lib/errors.ts'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import { assertOutranks, type ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction, recordActions } from '#domain/server/audit/record.ts'
import { applyLimit, type LimitKind } from './account-limits.ts'
import {
  deleteStatusesByStaff,
  filterStatusesOf,
  markStatusesByStaff,
  maxStatuses,
} from './act-on-statuses.ts'
import { resolveReportsIn } from './reports/staff-reports.ts'
import { actionOn, lockTarget, type TargetAccount } from './target-account.ts'
import { assertLength, getWarningPreset, maxWarningText } from './warning-presets.ts'
import type { AccountId, AccountWarningId, ReportId, StatusId, WarningPresetId } from '#lib/id.ts'

/** What the action route offers. */
export const accountActions = [
  'none',
  'sensitive',
  'disable',
  'silence',
  'suspend',
] as const satisfies Decision[]
export type AccountAction = (typeof accountActions)[number]

export interface ActionInput {
  type: Decision
  /** To whom it concerns. */
  text?: string | undefined
  /** What led to it. */
  reportId?: ReportId | undefined
  /** A text that comes before `text`. */
  presetId?: WarningPresetId | undefined
  /** They are told by mail, too; by default they are. */
  mail?: boolean | undefined
  /** The statuses that it is about; without them those of the report. */
  statusIds?: readonly StatusId[] | undefined
  /** When a limit ends by itself. */
  endsAt?: Date | undefined
}

/**
 * Carries a decision of staff out, for accounts of this server and others: writes the strike down, tells people of this
 * server, and settles reports: with a limit all that wait about the account, else the named one. Throws `not_found`
 * for the account, the report, the preset and when none of the statuses is there; `forbidden` to staff who may not;
 * `invalid` for what does not go together.
 */
export async function takeAction(
  ctx: Ctx,
  staff: ActingStaff,
  accountId: AccountId,
  input: ActionInput,
): Promise<{ warningId: AccountWarningId }> {
  const text = await composeText(ctx, input)
  assertEnd(ctx, input)
  return ctx.transaction((tx) => takeActionIn(tx, staff, accountId, { ...input, text }))
}

/** As `takeAction`, together with what led to it; without presets and ends. */
export async function takeActionIn(
  tx: Tx,
  staff: ActingStaff,
  accountId: AccountId,
  input: ActionInput & { text: string },
): Promise<{ warningId: AccountWarningId }> {
  const target = await lockTarget(tx, accountId)
  await assertMayAct(tx, staff, target, input.type)
  const reports = await listSettled(tx, staff, accountId, input)
  const statusIds = await statusesOf(tx, accountId, input)
  const warningId = await insertStrike(tx, staff, target, { ...input, statusIds })
  await carryOut(tx, staff, target, { ...input, statusIds, warningId })
  await resolveReportsIn(tx, staff, reports)
  if (target.domain === null) await tx.emit({ type: 'warning.created', warningId, mail: input.mail ?? true })
  return { warningId }
}

async function composeText(reader: Reader, { text, presetId }: ActionInput): Promise<string> {
  const preset = presetId === undefined ? null : await getWarningPreset(reader, presetId)
  const whole = [preset?.text, text?.trim()].filter((part) => part).join('\n\n')
  assertLength('text', whole, 2 * maxWarningText)
  return whole
}

const isLimit = (type: Decision): type is LimitKind =>
  type === 'sensitive' || type === 'disable' || type === 'silence' || type === 'suspend'

function assertEnd(reader: Reader, { type, endsAt }: ActionInput): void {
  if (endsAt === undefined) return
  if (!isLimit(type)) throw invalid('base', 'only_limits_expire')
  if (!(endsAt.getTime() > reader.clock.now())) throw invalid('expiry', 'not_in_future')
}

async function assertMayAct(
  tx: Tx,
  staff: ActingStaff,
  target: TargetAccount,
  type: Decision,
): Promise<void> {
  await assertOutranks(tx, staff, target.id)
  if (type !== 'disable') return
  // Those who only manage reports shut nobody's login out.
  if (typeof staff !== 'string' && !hasPermission(staff, 'manage_users')) throw forbidden()
  if (target.userId === null) throw invalid('type', 'not_for_remote')
}

/** The reports that the decision settles. What people told is not settled by a rule: somebody has to read it. */
async function listSettled(
  tx: Tx,
  staff: ActingStaff,
  accountId: AccountId,
  { type, reportId }: ActionInput,
): Promise<ReportId[]> {
  const { rows } = await sql<{ id: ReportId }>`
    select id from reports
    where target_account_id = ${accountId} and (id = ${reportId ?? null}::bigint
      or (${isLimit(type) && staff !== 'server'} and action_taken_at is null))
    order by id`.execute(tx.db)
  if (reportId !== undefined && !rows.some((row) => row.id === reportId)) throw notFound()
  return rows.map((row) => row.id)
}

const isAboutStatuses = (type: Decision) =>
  type === 'delete_statuses' || type === 'mark_statuses_as_sensitive'

/** Those that the decision names, or those of the report; what it is to be done to must be the account's. */
async function statusesOf(tx: Tx, accountId: AccountId, input: ActionInput): Promise<StatusId[]> {
  const named = input.statusIds?.slice(0, maxStatuses) ?? (await reportedStatuses(tx, input.reportId))
  const ids = await filterStatusesOf(tx, accountId, named)
  if (isAboutStatuses(input.type) && ids.length === 0) throw notFound()
  return ids
}

async function reportedStatuses(reader: Reader, reportId: ReportId | undefined): Promise<StatusId[]> {
  if (reportId === undefined) return []
  const { rows } = await sql<{ status_ids: StatusId[] }>`
    select status_ids from reports where id = ${reportId}`.execute(reader.db)
  return rows[0]?.status_ids ?? []
}

type Strike = ActionInput & { text: string; statusIds: readonly StatusId[] }

async function insertStrike(
  tx: Tx,
  staff: ActingStaff,
  target: TargetAccount,
  { type, text, reportId, statusIds }: Strike,
): Promise<AccountWarningId> {
  const id = tx.newId<AccountWarningId>()
  const by = typeof staff === 'string' ? null : staff.accountId
  await sql`
    insert into account_warnings (id, account_id, target_account_id, report_id, action, text, status_ids, created_at)
    values (${id}, ${by}, ${target.id}, ${reportId ?? null}, ${type}, ${text}, ${statusIds}::bigint[],
      ${new Date(tx.clock.now())})`.execute(tx.db)
  return id
}

type Order = ActionInput & { statusIds: readonly StatusId[]; warningId: AccountWarningId }

async function carryOut(tx: Tx, staff: ActingStaff, target: TargetAccount, order: Order): Promise<void> {
  const { type, statusIds, warningId, reportId, endsAt } = order
  const details = {
    warning_id: warningId,
    ...(reportId !== undefined && { report_id: reportId }),
    ...(endsAt && { expires_at: endsAt.toISOString() }),
  }
  if (isLimit(type)) {
    await applyLimit(tx, target, type, endsAt ?? null)
    await recordAction(tx, staff, actionOn(target, type, { user: type === 'disable', details }))
  } else if (type === 'none') {
    await recordAction(tx, staff, {
      ...actionOn(target, 'create', { details }),
      targetType: 'account_warning',
      targetId: warningId,
    })
  } else {
    const act = type === 'delete_statuses' ? deleteStatusesByStaff : markStatusesByStaff
    await recordAction(tx, staff, actionOn(target, type, { details }))
    await recordActions(tx, staff, await act(tx, target, statusIds))
  }
}
