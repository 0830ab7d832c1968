import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'

const batch = 5_000

type Table = 'accounts' | 'statuses'

/**
 * Has every process render all accounts and statuses anew, by giving each row a new version: what is kept of the
 * old one is never asked for again. Long on a large server, but in small steps that block nobody.
 * Answers how many rows there were.
 */
export async function forgetRenderings(ctx: Ctx): Promise<number> {
  const all = sql<boolean>`true`
  return (await bumpVersions(ctx, 'accounts', all)) + (await bumpVersions(ctx, 'statuses', all))
}

/** As `forgetRenderings`, for what has one of these emoji of a domain in its texts (null: this server's own). */
export async function forgetRenderingsWith(
  ctx: Ctx,
  { shortcodes, domain }: { shortcodes: readonly string[]; domain: string | null },
): Promise<number> {
  const names = shortcodes.filter((name) => /^\w+$/.test(name))
  if (names.length === 0) return 0
  const pattern = `:(${names.join('|')}):`
  const accounts = sql<boolean>`domain is not distinct from ${domain}
    and (display_name ~ ${pattern} or note ~ ${pattern} or fields::text ~ ${pattern})`
  const author =
    domain === null
      ? sql`local`
      : sql`exists (select 1 from accounts a where a.id = statuses.account_id and a.domain = ${domain} offset 0)`
  const statuses = sql<boolean>`${author} and (
    text ~ ${pattern} or content ~ ${pattern} or spoiler_text ~ ${pattern}
    or (poll_id is not null and exists (
      select 1 from polls p where p.id = poll_id and array_to_string(p.options, ' ') ~ ${pattern} offset 0)))`
  return (await bumpVersions(ctx, 'accounts', accounts)) + (await bumpVersions(ctx, 'statuses', statuses))
}

async function bumpVersions(ctx: Ctx, table: Table, condition: RawBuilder<boolean>): Promise<number> {
  let count = 0
  for (let after = '0'; ;) {
    const { rows } = await sql<{ last: string | null; count: number }>`
      with looked as materialized (
        select id from ${sql.table(table)} where id > ${after} order by id limit ${batch}),
      changed as (
        update ${sql.table(table)} set version = version + 1
        where id in (select id from looked) and ${condition}
        returning id)
      select (select max(id) from looked) as last, (select count(*)::int from changed) as count`.execute(
      ctx.db,
    )
    const done = rows[0]
    if (!done?.last) return count
    count += done.count
    after = done.last
  }
}
