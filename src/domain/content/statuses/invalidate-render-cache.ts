import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { timeToId } from '#lib/ids.ts'

const batch = 5_000

type Table = 'accounts' | 'statuses'

/**
 * Has every process render all accounts and statuses anew, by giving each row a new version: what is kept of the
 * old one is never asked for again. Long on a large server, but in small steps that block nobody.
 * Returns how many rows there were.
 */
export async function invalidateRenderCache(ctx: Ctx): Promise<number> {
  const all = sql<boolean>`true`
  return (await bumpVersions(ctx, 'accounts', all)) + (await bumpVersions(ctx, 'statuses', all))
}

/** As `invalidateRenderCache`, for what has one of these emoji of a domain in its texts (null: this server's own). */
export async function invalidateRenderCacheWith(
  ctx: Ctx,
  { shortcodes, domain }: { shortcodes: readonly string[]; domain: string | null },
): Promise<number> {
  const pattern = patternOf(shortcodes)
  if (pattern === null) return 0
  const accounts = sql<boolean>`domain is not distinct from ${domain} and ${accountNames(pattern)}`
  const author =
    domain === null
      ? sql`local`
      : sql`exists (select 1 from accounts a where a.id = statuses.account_id and a.domain = ${domain} offset 0)`
  const statuses = sql<boolean>`${author} and ${statusNames(pattern)}`
  return (await bumpVersions(ctx, 'accounts', accounts)) + (await bumpVersions(ctx, 'statuses', statuses))
}

/** Milliseconds for which the picture of a new emoji may be on its way. */
const fetchTime = 86_400_000

/**
 * As `invalidateRenderCacheWith` for emoji of another server whose pictures have just come: only what came from there since
 * can show them. In two statements by index, since every new emoji of every server leads here.
 */
export async function forgetRecentWith(
  ctx: Ctx,
  { shortcodes, domain }: { shortcodes: readonly string[]; domain: string },
): Promise<void> {
  const pattern = patternOf(shortcodes)
  if (pattern === null) return
  const since = ctx.clock.now() - fetchTime
  await sql`
    update accounts set version = version + 1
    where domain = ${domain} and fetched_at > ${new Date(since)} and ${accountNames(pattern)}`.execute(ctx.db)
  await sql`
    update statuses set version = version + 1
    where id > ${timeToId(since)} and ${statusNames(pattern)} and exists (
      select 1 from accounts a where a.id = statuses.account_id and a.domain = ${domain} offset 0)`.execute(
    ctx.db,
  )
}

function patternOf(shortcodes: readonly string[]): string | null {
  const names = shortcodes.filter((name) => /^\w+$/.test(name))
  return names.length === 0 ? null : `:(${names.join('|')}):`
}

const accountNames = (pattern: string) =>
  sql<boolean>`(display_name ~ ${pattern} or note ~ ${pattern} or fields::text ~ ${pattern})`

const statusNames = (pattern: string) => sql<boolean>`(
  text ~ ${pattern} or content ~ ${pattern} or spoiler_text ~ ${pattern}
  or (poll_id is not null and exists (
    select 1 from polls p where p.id = poll_id and array_to_string(p.options, ' ') ~ ${pattern} offset 0)))`

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
