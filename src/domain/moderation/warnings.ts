// What staff decided about an account, as its owner is told.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { keyBy } from '#lib/collections.ts'

export interface WarningRow {
  id: Id
  target_account_id: Id
  action: string
  text: string
  status_ids: Id[]
  created_at: Date
}

/** Warnings by id. Missing ones are left out. */
export async function loadWarnings(reader: Reader, ids: readonly Id[]): Promise<Map<Id, WarningRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<WarningRow>`
    select id, target_account_id, action, text, status_ids, created_at from account_warnings
    where id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}
