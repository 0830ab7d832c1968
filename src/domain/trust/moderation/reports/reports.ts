// What people tell staff about an account.
import { sql, type Selectable } from 'kysely'
import type { ReportsTable } from '#db/schema/people-and-reach.ts'
import type { Reader, Tx } from '#ports/ctx.ts'
import { functionalUser } from '#domain/identity/accounts/mail-facts.ts'
import { wantsMailSql } from '#domain/identity/accounts/mail-settings.ts'
import { bitsAllowing } from '#domain/identity/accounts/permissions.ts'
import { keyBy } from '#lib/collections.ts'
import type { ReportId, UserId } from '#lib/id.ts'

export const categories = ['spam', 'legal', 'violation', 'other'] as const
export type Category = (typeof categories)[number]

export interface ReportRow extends Pick<
  Selectable<ReportsTable>,
  | 'id'
  | 'target_account_id'
  | 'comment'
  | 'status_ids'
  | 'rule_ids'
  | 'collection_ids'
  | 'forwarded'
  | 'action_taken_at'
  | 'created_at'
> {
  category: Category
}

/** Reports by id. Missing ones are left out. */
export async function loadReports(
  reader: Reader,
  ids: readonly ReportId[],
): Promise<Map<ReportId, ReportRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ReportRow>`
    select id, target_account_id, category, comment, status_ids, rule_ids, collection_ids, forwarded, action_taken_at,
      created_at
    from reports where id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}

const seesReports = bitsAllowing('manage_reports')
const maxStaff = 100

/** Mails staff about a report, unless an earlier one about the same account still waits for them. */
export async function mailStaff(tx: Tx, reportId: ReportId): Promise<void> {
  const { rows } = await sql<{ id: UserId; email: string }>`
    select u.id, u.email from reports p cross join users u
    join accounts a on a.id = u.account_id
    join roles r on r.id = u.role_id
    where p.id = ${reportId} and (r.permissions & ${seesReports}::bigint) <> 0 and ${functionalUser('u', 'a')}
      and ${wantsMailSql('report', 'u')} and not exists (
        select 1 from reports o
        where o.target_account_id = p.target_account_id and o.id < p.id and o.action_taken_at is null)
    order by u.id limit ${maxStaff}`.execute(tx.db)
  for (const { id, email } of rows) {
    await tx.emit({ type: 'mail.requested', mail: { kind: 'report', userId: id, to: email, reportId } })
  }
}

/** What a mail says of a report. Handles come without the first `@`. */
export interface ReportFacts {
  target: { username: string; domain: string | null }
  /** Null when they are gone. */
  reporter: { username: string; domain: string | null } | null
  category: string
  comment: string
  statuses: number
}

/** Null when it is gone or settled. */
export async function findReportFacts(reader: Reader, id: ReportId): Promise<ReportFacts | null> {
  const { rows } = await sql<ReportFacts>`
    select p.category, p.comment, cardinality(p.status_ids) as statuses,
      jsonb_build_object('username', t.username, 'domain', t.domain) as target,
      case when a.id is not null then jsonb_build_object('username', a.username, 'domain', a.domain) end as reporter
    from reports p join accounts t on t.id = p.target_account_id left join accounts a on a.id = p.account_id
    where p.id = ${id} and p.action_taken_at is null`.execute(reader.db)
  return rows[0] ?? null
}
