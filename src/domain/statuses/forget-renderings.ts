import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'

const batch = 5_000

/**
 * Has every process render all accounts and statuses anew, by giving each row a new version: what is kept of the
 * old one is never asked for again. Long on a large server, but in small steps that block nobody.
 * Answers how many rows there were.
 */
export async function forgetRenderings(ctx: Ctx): Promise<number> {
  return (await bumpVersions(ctx, 'accounts')) + (await bumpVersions(ctx, 'statuses'))
}

async function bumpVersions(ctx: Ctx, table: 'accounts' | 'statuses'): Promise<number> {
  let count = 0
  for (let after = '0'; ;) {
    const { rows } = await sql<{ last: string | null; count: number }>`
      with changed as (
        update ${sql.table(table)} set version = version + 1
        where id in (select id from ${sql.table(table)} where id > ${after} order by id limit ${batch})
        returning id)
      select max(id) as last, count(*)::int as count from changed`.execute(ctx.db)
    const done = rows[0]
    if (!done?.last) return count
    count += done.count
    after = done.last
  }
}
