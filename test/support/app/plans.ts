// How the database would carry out what the program asks.
import { sql } from 'kysely'
import type { TestApp } from './app.ts'

export async function skipBefore16(app: TestApp, skip: (isOld: boolean, why: string) => void): Promise<void> {
  const { rows } = await sql<{
    version: number
  }>`select current_setting('server_version_num')::int as version`.execute(app.ctx.db)
  skip((rows[0]?.version ?? 0) < 160_000, 'PostgreSQL 15 cannot explain a statement without its parameters')
}

/** The plan of a statement as the program has it, whatever its parameters. '' for what has none. */
export async function explain(app: TestApp, statement: string): Promise<string> {
  if (!/^\s*(select|with|insert|update|delete)/i.test(statement)) return ''
  const { rows } = await sql
    .raw<Record<'QUERY PLAN', string>>(`explain (generic_plan) ${statement}`)
    .execute(app.ctx.db)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
