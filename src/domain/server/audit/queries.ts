import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { AuditLogTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { timeToId } from '#lib/ids.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { AccountId, AnyId } from '#lib/id.ts'
import type { AuditDetail } from './record.ts'

export interface AuditRow extends Pick<
  Selectable<AuditLogTable>,
  'id' | 'action' | 'target_type' | 'target_id' | 'created_at'
> {
  /** Null: see `actor`. */
  account_id: AccountId | null
  actor: 'staff' | 'operator' | 'server'
  /** The name of that account. */
  username: string | null
  /** What it was called then. */
  target_label: string
  details: Readonly<Record<string, AuditDetail>>
}

export interface AuditFilter {
  /** Who acted. */
  accountId?: AccountId | undefined
  action?: string | undefined
  targetType?: string | undefined
  targetId?: AnyId | undefined
}

/** What staff, the command line and rules of the server did, newest first. */
export async function listActions(
  reader: Reader,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditRow>> {
  const conditions: RawBuilder<unknown>[] = [sql`${inPage('l.id', page)}`]
  if (filter.accountId !== undefined) conditions.push(sql`l.account_id = ${filter.accountId}`)
  if (filter.action !== undefined) conditions.push(sql`l.action = ${filter.action}`)
  if (filter.targetType !== undefined) conditions.push(sql`l.target_type = ${filter.targetType}`)
  if (filter.targetId !== undefined) conditions.push(sql`l.target_id = ${filter.targetId}`)
  const { rows } = await sql<AuditRow>`
    select l.id, l.account_id, l.actor, a.username, l.action, l.target_type, l.target_id, l.target_label, l.details, l.created_at
    from audit_log l left join accounts a on a.id = l.account_id
    where ${sql.join(conditions, sql` and `)} ${orderAndLimit('l.id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

const day = 86_400_000
const batch = 1000

/** Deletes what is older than so many days; null: nothing. Returns how many rows. Ids rise with time. */
export async function trimAuditLog(ctx: Ctx, days: number | null): Promise<number> {
  if (days === null) return 0
  const before = timeToId(ctx.clock.now() - days * day)
  for (let gone = 0; ;) {
    const { rows } = await sql`
      delete from audit_log
      where id in (select id from audit_log where id < ${before} order by id limit ${batch}) returning 1`.execute(
      ctx.db,
    )
    gone += rows.length
    if (rows.length < batch) return gone
  }
}
