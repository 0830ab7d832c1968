// What people say against decisions of staff about them, once for each, and what comes of it.
import { sql, type Selectable } from 'kysely'
import type { AppealsTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { functionalUser } from '#domain/identity/accounts/mail-facts.ts'
import { wantsMailSql } from '#domain/identity/accounts/mail-settings.ts'
import { bitsAllowing } from '#domain/identity/accounts/permissions.ts'
import { assertOutranks, type ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { markSensitive } from '#domain/content/statuses/edits/mark-sensitive.ts'
import { isLimited, limitKinds, removeLimit, type LimitKind } from './account-limits.ts'
import { appealWindow } from './strikes.ts'
import { lockTarget } from './target-account.ts'
import { appealState, type AppealState } from './warnings.ts'
import type { AccountId, AccountWarningId, AppealId, IdCursor, ReportId, StatusId, UserId } from '#lib/id.ts'

/** Characters of an appeal. */
export const maxAppealText = 2000

/**
 * Objects to a strike, on behalf of the account that it is about. Throws `not_found` for strikes of others; `invalid` for
 * a second appeal, one that comes too late, and words that are missing or too many.
 */
export async function createAppeal(
  ctx: Ctx,
  accountId: AccountId,
  strikeId: AccountWarningId,
  words: string | undefined,
): Promise<AppealId> {
  const text = words?.trim() ?? ''
  if (text === '') throw invalid('text', 'blank')
  if ([...text].length > maxAppealText) {
    throw invalid('text', 'too_long', { max: maxAppealText })
  }
  return ctx.transaction(async (tx) => {
    await assertAppealable(tx, accountId, strikeId)
    const id = tx.newId<AppealId>()
    const { rows } = await sql`
      insert into appeals (id, warning_id, account_id, text, created_at)
      values (${id}, ${strikeId}, ${accountId}, ${text}, ${new Date(tx.clock.now())})
      on conflict (warning_id) do nothing returning id`.execute(tx.db)
    if (rows.length === 0) throw invalid('base', 'strike_appealed')
    await mailStaff(tx, strikeId)
    await tx.emit({ type: 'appeal.created', appealId: id })
    return id
  })
}

async function assertAppealable(tx: Tx, accountId: AccountId, strikeId: AccountWarningId): Promise<void> {
  const { rows } = await sql<{ created_at: Date; overruled_at: Date | null }>`
    select created_at, overruled_at from account_warnings
    where id = ${strikeId} and target_account_id = ${accountId} for share`.execute(tx.db)
  const strike = rows[0]
  if (!strike) throw notFound()
  if (strike.overruled_at) throw invalid('base', 'strike_overruled')
  if (tx.clock.now() >= strike.created_at.getTime() + appealWindow) {
    throw invalid('base', 'appeal_too_late')
  }
}

const decidesAppeals = bitsAllowing('manage_appeals')
const maxStaff = 100

/** Mails those who may decide, but for the person concerned. */
async function mailStaff(tx: Tx, warningId: AccountWarningId): Promise<void> {
  const { rows } = await sql<{ id: UserId; email: string }>`
    select u.id, u.email from account_warnings w cross join users u
    join accounts a on a.id = u.account_id
    join roles r on r.id = u.role_id
    where w.id = ${warningId} and a.id <> w.target_account_id and (r.permissions & ${decidesAppeals}::bigint) <> 0
      and ${functionalUser('u', 'a')} and ${wantsMailSql('appeal', 'u')}
    order by u.id limit ${maxStaff}`.execute(tx.db)
  for (const { id, email } of rows) {
    await tx.emit({ type: 'mail.requested', mail: { kind: 'appeal', userId: id, to: email, warningId } })
  }
}

export interface AppealRow extends Pick<
  Selectable<AppealsTable>,
  'id' | 'warning_id' | 'account_id' | 'text' | 'decided_by_account_id' | 'created_at'
> {
  state: AppealState
  decided_at: Date | null
  /** Who of staff made the decision that it is about, and what led to it. */
  strike_by_account_id: AccountId | null
  report_id: ReportId | null
  overruled_at: Date | null
}

const columns = sql`o.id, o.warning_id, o.account_id, o.text, ${appealState('o')} as state,
  coalesce(o.approved_at, o.rejected_at) as decided_at, o.decided_by_account_id, o.created_at,
  w.account_id as strike_by_account_id, w.report_id, w.overruled_at`
const source = sql`appeals o join account_warnings w on w.id = o.warning_id`

const inState = {
  pending: sql`o.approved_at is null and o.rejected_at is null`,
  approved: sql`o.approved_at is not null`,
  rejected: sql`o.rejected_at is not null`,
}

/** Appeals in one state, or all, newest first. */
export async function listAppeals(
  reader: Reader,
  state: AppealState | undefined,
  page: PageRequest,
): Promise<Page<AppealRow>> {
  const { rows } = await sql<AppealRow>`
    select ${columns} from ${source}
    where ${state === undefined ? sql`true` : inState[state]} and ${inPage('o.id', page)}
    ${orderAndLimit('o.id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** Throws `not_found`. */
export async function getAppeal(reader: Reader, id: AppealId): Promise<AppealRow> {
  const { rows } = await sql<AppealRow>`select ${columns} from ${source} where o.id = ${id}`.execute(
    reader.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}

/**
 * Decides about an appeal: approved, the decision no longer holds and what it did is undone as far as that can be done;
 * deleted statuses stay deleted. Throws `not_found`, `forbidden` to staff whose role does not stand above the person's,
 * and `invalid` when it has been decided.
 */
export async function decideAppeal(
  ctx: Ctx,
  staff: ActingStaff,
  id: AppealId,
  decision: 'approve' | 'reject',
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const appeal = await lockAppeal(tx, id)
    await assertOutranks(tx, staff, appeal.account_id)
    if (appeal.state !== 'pending') throw invalid('base', 'appeal_decided')
    const approved = decision === 'approve'
    await saveDecision(tx, staff, appeal, approved)
    await recordAction(tx, staff, {
      action: decision,
      targetType: 'appeal',
      targetId: id,
      label: appeal.username,
      details: { warning_id: appeal.warning_id, action: appeal.action },
    })
    if (approved) await undo(tx, staff, appeal)
    await mailAnswer(tx, appeal, approved)
    await tx.emit({ type: 'appeal.decided', appealId: id })
  })
}

interface LockedAppeal extends AppealRow {
  username: string
  /** What staff had decided. */
  action: string
}

async function lockAppeal(tx: Tx, id: AppealId): Promise<LockedAppeal> {
  const { rows } = await sql<LockedAppeal>`
    select ${columns}, a.username, w.action
    from ${source} join accounts a on a.id = o.account_id
    where o.id = ${id} for update of o, w`.execute(tx.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

async function saveDecision(
  tx: Tx,
  staff: ActingStaff,
  appeal: LockedAppeal,
  approved: boolean,
): Promise<void> {
  const now = new Date(tx.clock.now())
  const by = typeof staff === 'string' ? null : staff.accountId
  await sql`
    update appeals set approved_at = ${approved ? now : null}, rejected_at = ${approved ? null : now},
      decided_by_account_id = ${by}
    where id = ${appeal.id}`.execute(tx.db)
  if (!approved) return
  await sql`update account_warnings set overruled_at = ${now} where id = ${appeal.warning_id}`.execute(tx.db)
}

async function undo(
  tx: Tx,
  staff: ActingStaff,
  { account_id, action, warning_id }: LockedAppeal,
): Promise<void> {
  if (action === 'mark_statuses_as_sensitive') {
    const changed = await markSensitive(tx, await listMarked(tx, warning_id), false)
    for (const targetId of changed) {
      await recordAction(tx, staff, { action: 'update', targetType: 'status', targetId })
    }
    return
  }
  const kind: LimitKind | undefined = limitKinds.find((one) => one === action)
  if (kind === undefined || (await holdsByLater(tx, account_id, { kind, than: warning_id }))) return
  const target = await lockTarget(tx, account_id)
  if (isLimited(target, kind)) await removeLimit(tx, staff, target, kind)
}

/** Whether a later strike, which was not taken back, demands the same limit. */
async function holdsByLater(
  reader: Reader,
  accountId: AccountId,
  { kind, than }: { kind: LimitKind; than: IdCursor },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from account_warnings
    where target_account_id = ${accountId} and id > ${than} and action = ${kind} and overruled_at is null
    limit 1`.execute(reader.db)
  return rows.length > 0
}

/** The statuses that this strike marked as sensitive: what their authors had marked before stays so. */
async function listMarked(reader: Reader, warningId: AccountWarningId): Promise<StatusId[]> {
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from account_warnings w join statuses s on s.id = any(w.status_ids)
    where w.id = ${warningId} and not (
      select e.sensitive from status_edits e
      where e.status_id = s.id and e.created_at < w.created_at order by e.id desc limit 1)
    order by s.id`.execute(reader.db)
  return rows.map((row) => row.id)
}

async function mailAnswer(
  tx: Tx,
  { account_id, warning_id }: LockedAppeal,
  approved: boolean,
): Promise<void> {
  const { rows } = await sql<{ id: UserId; email: string }>`
    select id, email from users where account_id = ${account_id}`.execute(tx.db)
  for (const { id, email } of rows) {
    await tx.emit({
      type: 'mail.requested',
      mail: { kind: 'appeal-answered', userId: id, to: email, warningId: warning_id, approved },
    })
  }
}
