// Looks at the whole database, for tests of what must not be in it or must not have changed.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'

async function tableNames(ctx: Ctx): Promise<string[]> {
  const tables = await ctx.db.introspection.getTables()
  return tables.filter(({ schema, isView }) => schema === 'public' && !isView).map(({ name }) => name)
}

/** How many rows each table has, without the days on which people were here. */
export async function countRows(ctx: Ctx): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of await tableNames(ctx)) {
    if (name === 'user_activity') continue
    const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(name)}`.execute(ctx.db)
    counts[name] = Number(rows[0]?.n)
  }
  return counts
}

/** Every row of every table as text; bytes as hexadecimal. */
export async function dumpDatabase(ctx: Ctx): Promise<string> {
  const dump: unknown[] = []
  for (const name of await tableNames(ctx)) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} t`.execute(
      ctx.db,
    )
    dump.push(name, ...rows.map((row) => row.line))
  }
  return dump.join('\n')
}
