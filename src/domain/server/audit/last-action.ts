import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

/** When something of this kind was last done; null when the log does not tell. */
export async function findLastAction(reader: Reader, action: string): Promise<Date | null> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from audit_log where action = ${action} order by id desc limit 1`.execute(reader.db)
  return rows[0]?.created_at ?? null
}
