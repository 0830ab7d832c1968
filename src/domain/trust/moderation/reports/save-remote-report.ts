// Reports by people, or the staff, of other servers.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { namesOf } from '#domain/server/hosts/may-federate.ts'
import { mailStaff } from './reports.ts'
import type { AccountId, ReportId, StatusId } from '#lib/id.ts'

const maxCommentLength = 5_000
const maxStatuses = 100

export interface RemoteReport {
  accountId: AccountId
  /** The host of whoever reports. */
  host: string
  /** The activity; several reports may be one. */
  uri: string | null
  comment: string
  targetId: AccountId
  /** Those that are not the reported account's, or that nobody of the host can see, are left out. */
  statusIds: readonly StatusId[]
}

/** Stores a report. Idempotent. Returns whether it is new: servers of which staff want no reports make none. */
export async function saveRemoteReport(ctx: Ctx, report: RemoteReport): Promise<boolean> {
  if (await isUnwanted(ctx, report.host)) return false
  const uri = report.uri === null ? null : `${report.uri}#${report.targetId}`
  const now = new Date(ctx.clock.now())
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: ReportId }>`
      insert into reports (id, account_id, target_account_id, comment, status_ids, uri, created_at, updated_at)
      select ${tx.newId()}, ${report.accountId}, a.id, ${report.comment.slice(0, maxCommentLength)}, array(
          select s.id from statuses s where s.id = any(${report.statusIds.slice(0, maxStatuses)}::bigint[])
            and s.account_id = a.id and s.deleted_at is null and ${isShownTo(report.host)} order by s.id),
        ${uri}, ${now}, ${now}
      from accounts a where a.id = ${report.targetId} and a.domain is null
      on conflict (uri) do nothing returning id`.execute(tx.db)
    if (!rows[0]) return false
    await mailStaff(tx, rows[0].id)
    await tx.emit({ type: 'report.created', reportId: rows[0].id })
    return true
  })
}

/**
 * SQL that is true for a status `s` of account `a` that came to a host: the server reports in the name of its people, and
 * does not say whose.
 */
function isShownTo(host: string): RawBuilder<boolean> {
  return sql<boolean>`(not s.local_only and (s.visibility in ('public', 'unlisted')
    or exists (select 1 from mentions m join accounts n on n.id = m.account_id
      where m.status_id = s.id and n.uri_host = ${host} offset 0)
    or (s.visibility = 'private' and exists (
      select 1 from follows f join accounts n on n.id = f.account_id
      where f.target_account_id = a.id and n.uri_host = ${host} offset 0))))`
}

async function isUnwanted(reader: Reader, host: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from domain_blocks
    where domain = any(${namesOf(host)}::text[]) and (reject_reports or severity = 'suspend')`.execute(
    reader.db,
  )
  return rows.length > 0
}
