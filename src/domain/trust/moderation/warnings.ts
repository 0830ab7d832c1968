// What staff decided about an account, as its owner is told.
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { AccountWarningsTable } from '#db/schema/people-and-reach.ts'
import type { Reader } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import type { AccountWarningId, UserId } from '#lib/id.ts'

/** What staff decide about an account. `none`: a word of warning. */
export type Decision =
  | 'none'
  | 'sensitive'
  | 'disable'
  | 'silence'
  | 'suspend'
  | 'delete_statuses'
  | 'mark_statuses_as_sensitive'

export interface WarningRow extends Pick<
  Selectable<AccountWarningsTable>,
  'id' | 'target_account_id' | 'text' | 'status_ids' | 'created_at'
> {
  action: Decision
  appeal: AppealWords | null
}

export type AppealState = 'pending' | 'approved' | 'rejected'

/** What the person concerned says against it, and what came of that. */
export interface AppealWords {
  text: string
  state: AppealState
}

/** The state of an appeal, by what its row is called. */
export function appealState(appeal: string): RawBuilder<AppealState> {
  const o = sql.id(appeal)
  return sql`case when ${o}.approved_at is not null then 'approved'
    when ${o}.rejected_at is not null then 'rejected' else 'pending' end`
}

/** `AppealWords` of an appeal, left joined, by what its row is called. */
export function appealWords(appeal: string): RawBuilder<AppealWords | null> {
  const o = sql.id(appeal)
  return sql`
    case when ${o}.id is not null then jsonb_build_object('text', ${o}.text, 'state', ${appealState(appeal)}) end`
}

/** Warnings by id. Missing ones are left out. */
export async function loadWarnings(
  reader: Reader,
  ids: readonly AccountWarningId[],
): Promise<Map<AccountWarningId, WarningRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<WarningRow>`
    select w.id, w.target_account_id, w.action, w.text, w.status_ids, w.created_at, ${appealWords('o')} as appeal
    from account_warnings w left join appeals o on o.warning_id = w.id
    where w.id = any(${ids}::bigint[])`.execute(reader.db)
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
  /** What they say against it, when they do. */
  appeal: string | null
}

/** Null when it is gone. */
export async function findWarningFacts(reader: Reader, id: AccountWarningId): Promise<WarningFacts | null> {
  const { rows } = await sql<WarningFacts>`
    select w.action, w.text, cardinality(w.status_ids) as statuses, w.created_at as at, a.username,
      o.text as appeal
    from account_warnings w join accounts a on a.id = w.target_account_id
    left join appeals o on o.warning_id = w.id where w.id = ${id}`.execute(reader.db)
  return rows[0] ?? null
}

/** Whom a decision is about, where they are of this server; null when they are gone. */
export async function findWarned(
  reader: Reader,
  id: AccountWarningId,
): Promise<{ id: UserId; email: string } | null> {
  const { rows } = await sql<{ id: UserId; email: string }>`
    select u.id, u.email from account_warnings w join users u on u.account_id = w.target_account_id
    where w.id = ${id}`.execute(reader.db)
  return rows[0] ?? null
}
