// What waits for its time.
import { sql, type Selectable } from 'kysely'
import type { ScheduledStatusesTable } from '#db/schema/status-parts.ts'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { ReplyPolicy, Viewer, Visibility } from '#domain/identity/accounts/viewer.ts'
import { readReason } from '#lib/messages/keep-reason.ts'
import type { Reason } from '#lib/messages/describe-error.ts'
import type { PreparedStatus, StatusInput } from './prepare-status.ts'
import { chooseQuotePolicy, type QuotePolicy } from '../quote-policy.ts'
import { chooseReplyPolicy } from '../reply-policy.ts'
import type { AccountId, ScheduledStatusId } from '#lib/id.ts'

/** A status as it was asked for, its audience chosen. */
export interface ScheduledParams extends Omit<StatusInput, 'applicationId' | 'replyPolicy'> {
  visibility: Visibility
  quotePolicy: QuotePolicy
  /** Not there in what was scheduled before there was a choice. */
  replyPolicy?: ReplyPolicy
}

/** `failed_at` and `error`: when and why it could not be published. */
export type ScheduledRow = Pick<
  Selectable<ScheduledStatusesTable>,
  'id' | 'account_id' | 'application_id' | 'scheduled_at' | 'failed_at' | 'error'
> & { params: ScheduledParams }

export const scheduledColumns = sql`id, account_id, application_id, scheduled_at, params, failed_at, error`

/** A page of what an account has scheduled, by id. Those that were refused at their time wait for nothing any more. */
export async function listScheduled(
  reader: Reader,
  accountId: AccountId,
  page: PageRequest,
): Promise<Page<ScheduledRow>> {
  const { rows } = await sql<ScheduledRow>`
    select ${scheduledColumns} from scheduled_statuses
    where account_id = ${accountId} and failed_at is null and ${inPage('id', page)}
    ${orderAndLimit('id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** One of an account's own, also one that was refused. Throws `not_found`, also for those of others. */
export async function getScheduled(
  reader: Reader,
  accountId: AccountId,
  id: ScheduledStatusId,
): Promise<ScheduledRow> {
  const { rows } = await sql<ScheduledRow>`
    select ${scheduledColumns} from scheduled_statuses where id = ${id} and account_id = ${accountId}`.execute(
    reader.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}

/**
 * What a status that is published later is asked for with. Who may read, quote and answer it is fixed now: later preferences of
 * the author must not open it behind their back.
 */
export function toParams(
  viewer: Viewer,
  input: StatusInput,
  { visibility }: PreparedStatus,
): ScheduledParams {
  const { applicationId: _, ...asked } = input
  return {
    ...asked,
    visibility,
    quotePolicy: chooseQuotePolicy(viewer, visibility, input.quotePolicy),
    replyPolicy: chooseReplyPolicy(viewer, visibility, input.replyPolicy),
  }
}

/** What a mail says of a status that was refused at its time. */
export interface RefusedStatus {
  text: string
  warning: string
  reason: Reason
  scheduledAt: Date
}

/** Null when it was taken back or given another time meanwhile. */
export async function findRefusedStatus(
  reader: Reader,
  id: ScheduledStatusId,
): Promise<RefusedStatus | null> {
  const { rows } = await sql<ScheduledRow>`
    select ${scheduledColumns} from scheduled_statuses where id = ${id} and failed_at is not null`.execute(
    reader.db,
  )
  const row = rows[0]
  if (!row) return null
  const { text, spoilerText } = row.params
  return {
    text: text ?? '',
    warning: spoilerText ?? '',
    reason: readReason(row.error ?? ''),
    scheduledAt: row.scheduled_at,
  }
}
