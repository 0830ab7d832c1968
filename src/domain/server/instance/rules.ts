import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { RuleId } from '#lib/id.ts'

export interface ServerRule {
  id: RuleId
  text: string
  hint: string
  /** By language code. */
  translations: Record<string, { text: string; hint: string }>
}

/** A rule as staff see it. */
export interface FullRule extends ServerRule {
  /** Lower ones come first. */
  priority: number
  /** It no longer holds, and is only told where somebody named it. */
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
}

const columns = sql`id, text, hint, translations, priority, deleted_at, created_at, updated_at`

/** The server's rules in their order. */
export async function listRules(reader: Reader): Promise<ServerRule[]> {
  const { rows } = await sql<ServerRule>`
    select id, text, hint, translations from rules
    where deleted_at is null order by priority, id`.execute(reader.db)
  return rows
}

/** The same as staff see them. They are few. */
export async function listFullRules(reader: Reader): Promise<FullRule[]> {
  const { rows } = await sql<FullRule>`
    select ${columns} from rules where deleted_at is null order by priority, id`.execute(reader.db)
  return rows
}

/** A rule that holds. `lock`: it stays as it is until the transaction ends. Throws `not_found`. */
export async function getRule(reader: Reader, id: RuleId, lock = false): Promise<FullRule> {
  const { rows } = await sql<FullRule>`
    select ${columns} from rules where id = ${id} and deleted_at is null
    ${lock ? sql`for update` : sql``}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Rules by id in their order, deleted ones too: old reports name them. */
export async function loadRules(reader: Reader, ids: readonly RuleId[]): Promise<FullRule[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<FullRule>`
    select ${columns} from rules where id = any(${ids}::bigint[]) order by priority, id`.execute(reader.db)
  return rows
}
