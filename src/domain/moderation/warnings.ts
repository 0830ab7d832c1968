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

/** What a mail says of a decision. */
export interface WarningFacts {
  action: string
  /** The words of staff. */
  text: string
  /** How many posts it names. */
  statuses: number
  at: Date
  /** Whom it is about. */
  username: string
}

/** Null when it is gone. */
export async function findWarningFacts(reader: Reader, id: Id): Promise<WarningFacts | null> {
  const { rows } = await sql<WarningFacts>`
    select w.action, w.text, cardinality(w.status_ids) as statuses, w.created_at as at, a.username
    from account_warnings w join accounts a on a.id = w.target_account_id where w.id = ${id}`.execute(
    reader.db,
  )
  return rows[0] ?? null
}
