// What people tell staff about an account.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { keyBy } from '#lib/collections.ts'

export interface ReportRow {
  id: Id
  target_account_id: Id
  category: string
  comment: string
  status_ids: Id[]
  rule_ids: Id[]
  collection_ids: Id[]
  forwarded: boolean
  action_taken_at: Date | null
  created_at: Date
}

/** Reports by id. Missing ones are left out. */
export async function loadReports(reader: Reader, ids: readonly Id[]): Promise<Map<Id, ReportRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ReportRow>`
    select id, target_account_id, category, comment, status_ids, rule_ids, collection_ids, forwarded, action_taken_at,
      created_at
    from reports where id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}
