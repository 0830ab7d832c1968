import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'

export interface ServerRule {
  id: Id
  text: string
  hint: string
  /** By language code. */
  translations: Record<string, { text: string; hint: string }>
}

/** The server's rules in their order. */
export async function listRules(reader: Reader): Promise<ServerRule[]> {
  const { rows } = await sql<ServerRule>`
    select id, text, hint, translations from rules
    where deleted_at is null order by priority, id`.execute(reader.db)
  return rows
}
