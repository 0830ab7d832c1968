import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { HostPair } from '#domain/server/hosts/hosts-below.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'
import { timeToId } from '#lib/ids.ts'

const batch = 5_000
/** Accounts of another server that are looked at in one step, with all that they posted. */
const accountBatch = 500

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
): Promise<void> {
  const pattern = patternOf(shortcodes)
  if (pattern === null) return
  if (domain === null) {
    await bumpVersions(ctx, 'accounts', sql<boolean>`domain is null and ${accountNames(pattern)}`)
    await bumpVersions(ctx, 'statuses', sql<boolean>`local and ${statusNames(pattern)}`)
  } else
    await bumpVersionsOf(ctx, sql<boolean>`domain = ${domain}`, { pattern, accounts: accountNames(pattern) })
}

const anyShortcode = ':[A-Za-z0-9_]+:'
const isUncopied = sql<boolean>`(
  (avatar_key is null and avatar_remote_url is not null) or (header_key is null and header_remote_url is not null))`

/** As `invalidateRenderCache`, for what looks different when this server takes files of another one, or takes none any more. */
export async function invalidateFilesOf(ctx: Ctx, { domain, uriHost }: HostPair): Promise<void> {
  const theirs = sql<boolean>`domain = ${domain} and uri_host is not distinct from ${uriHost}`
  const accounts = sql<boolean>`(${isUncopied} or ${accountNames(anyShortcode)})`
  await bumpVersionsOf(ctx, theirs, { pattern: anyShortcode, accounts })
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

/** As `invalidateRenderCache`, for what names an account, whose handle and page it says. */
export async function invalidateMentionsOf(ctx: Ctx, accountId: AccountId): Promise<void> {
  for (let after: StatusId | null = asId<StatusId>('0'); after !== null;) {
    const { rows } = await sql<{ last: StatusId | null }>`
      with named as materialized (
        select status_id from mentions where account_id = ${accountId} and status_id > ${after}
        order by status_id limit ${batch}),
      shown as (update statuses set version = version + 1 where id in (select status_id from named))
      select max(status_id) as last from named`.execute(ctx.db)
    after = rows[0]?.last ?? null
  }
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

interface Shown {
  /** What texts of statuses hold. */
  pattern: string
  /** Which of the accounts. */
  accounts: RawBuilder<boolean>
}

/** Of the accounts of a server and what they posted: however much there is of others, none of it is looked at. */
async function bumpVersionsOf(
  ctx: Ctx,
  theirs: RawBuilder<boolean>,
  { pattern, accounts }: Shown,
): Promise<void> {
  for (let after: string | null = '0'; after !== null;) {
    const { rows } = await sql<{ last: string | null }>`
      with looked as materialized (
        select id from accounts where ${theirs} and id > ${after} order by id limit ${accountBatch}),
      shown as (update accounts set version = version + 1 where id in (select id from looked) and ${accounts}),
      posted as (
        update statuses set version = version + 1
        where account_id in (select id from looked) and deleted_at is null and ${statusNames(pattern)})
      select max(id) as last from looked`.execute(ctx.db)
    after = rows[0]?.last ?? null
  }
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
