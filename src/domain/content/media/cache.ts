// How long, and how much, is kept of other servers' files.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { abandonFiles } from './files.ts'
import { asId, type MediaId } from '#lib/id.ts'

const day = 86_400_000
const gigabyte = 1e9
const batch = 200

export interface Removed {
  files: number
  bytes: number
}

export interface CacheChoice {
  /** Copies that nobody has looked at for so long, in days. */
  days: number
  /** Keeps those of statuses that somebody here favourited, bookmarked, boosted or answered. */
  keepInteracted?: boolean
  /** Only says what would go. */
  dryRun?: boolean
}

/** Lets go of copies that have not been looked at for some days. They are fetched again when somebody asks. */
export async function removeCachedMedia(ctx: Ctx, choice: CacheChoice): Promise<Removed> {
  const before = new Date(ctx.clock.now() - choice.days * day)
  const old = sql<boolean>`m.used_at < ${before} ${choice.keepInteracted ? sql`and ${unused}` : sql``}`
  return choice.dryRun ? countCached(ctx, old) : removeWhile(ctx, old)
}

/** Nobody of this server has done anything with the status. */
const isOurs = (column: RawBuilder<unknown>) =>
  sql`exists (select 1 from accounts l where l.id = ${column} and l.domain is null offset 0)`
const unused = sql`
  not exists (select 1 from bookmarks b where b.status_id = m.status_id offset 0)
  and not exists (select 1 from favourites f where f.status_id = m.status_id and ${isOurs(sql`f.account_id`)} offset 0)
  and not exists (select 1 from statuses r
    where r.reblog_of_id = m.status_id and r.deleted_at is null and ${isOurs(sql`r.account_id`)} offset 0)
  and not exists (select 1 from statuses r
    where r.in_reply_to_id = m.status_id and r.deleted_at is null and ${isOurs(sql`r.account_id`)} offset 0)`

/** Keeps the copies within what the operator has set: so many days, so many gigabytes. Returns how many files went. */
export async function trimMediaCache(ctx: Ctx): Promise<number> {
  const { media_cache_retention_period: days, media_cache_budget_gb: max } = await getSettings(ctx)
  const old = days === null ? 0 : (await removeCachedMedia(ctx, { days })).files
  if (max === null) return old
  const excess = (await countCachedMedia(ctx)).bytes - max * gigabyte
  return excess > 0 ? old + (await removeOldest(ctx, excess)) : old
}

/** Those that nobody has looked at for longest, until so many bytes are free. Returns how many files went. */
async function removeOldest(ctx: Ctx, excess: number): Promise<number> {
  let removed = 0
  for (let freed = 0; freed < excess;) {
    const { bytes, files } = await removeBatch(
      ctx,
      sql`m.id in (
        select id from (
          select o.id, sum(o.original_bytes + o.preview_bytes) over (order by o.used_at, o.id)
            - (o.original_bytes + o.preview_bytes) as earlier
          from (
            select id, used_at, original_bytes, preview_bytes from media_attachments
            where cached_at is not null order by used_at, id limit ${batch}) o) t
        where t.earlier < ${excess - freed})`,
    )
    if (files === 0) break
    freed += bytes
    removed += files
  }
  return removed
}

/** Lets go of all copies of what accounts of a server posted. `uriHost`: the host of their ids. */
export function removeCachedMediaOf(
  ctx: Ctx,
  { domain, uriHost }: { domain: string; uriHost: string | null },
): Promise<Removed> {
  const theirs = sql<boolean>`m.id in (
    select h.id from accounts a join media_attachments h on h.account_id = a.id
    where a.domain = ${domain} and a.uri_host is not distinct from ${uriHost} and h.cached_at is not null)`
  return removeWhile(ctx, theirs)
}

/** Lets go of the copies of these attachments, where there are any. */
export function removeCopies(ctx: Ctx, ids: readonly MediaId[]): Promise<Removed> {
  return removeWhile(ctx, sql<boolean>`m.id = any(${ids}::bigint[])`)
}

/** All copies that are kept. Reads an index as large as they are many. */
export const countCachedMedia = (reader: Reader): Promise<Removed> => countCached(reader, sql`true`)

async function countCached(reader: Reader, condition: RawBuilder<unknown>): Promise<Removed> {
  const { rows } = await sql<Removed>`
    select (count(original_key) + count(preview_key))::int as files,
      coalesce(sum(original_bytes + preview_bytes), 0)::float8 as bytes
    from media_attachments m where cached_at is not null and ${condition}`.execute(reader.db)
  return rows[0] as Removed
}

async function removeWhile(ctx: Ctx, condition: RawBuilder<unknown>): Promise<Removed> {
  const total: Removed = { files: 0, bytes: 0 }
  for (;;) {
    const { files, bytes } = await removeBatch(ctx, condition)
    if (files === 0) return total
    total.files += files
    total.bytes += bytes
  }
}

interface Gone {
  id: MediaId
  original_key: string | null
  preview_key: string | null
  bytes: number
}

/** Statuses get a new version: what is kept of them rendered names the copies. */
function removeBatch(ctx: Ctx, condition: RawBuilder<unknown>): Promise<Removed> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<Gone>`
      with old as (
        select m.id, m.original_key, m.preview_key, (m.original_bytes + m.preview_bytes)::float8 as bytes
        from media_attachments m where m.cached_at is not null and ${condition}
        order by m.used_at limit ${batch} for update skip locked),
      forgotten as (
        update media_attachments m set original_key = null, preview_key = null, original_bytes = 0, preview_bytes = 0,
          cached_at = null, used_at = null
        from old where m.id = old.id returning m.status_id),
      shown as (update statuses set version = version + 1 where id in (select status_id from forgotten))
      select * from old`.execute(tx.db)
    const keys = rows.flatMap((row) => [row.original_key, row.preview_key])
    await abandonFiles(tx, keys)
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
    return { files: keys.filter((key) => key !== null).length, bytes }
  })
}

/** Copies of which this process has lately said that they are used, with the time. */
const noted = new WeakMap<Ctx, Map<MediaId, number>>()
const maxNoted = 10_000

/** Remembers, once a day, that somebody looked at a copy: the one that is unused for longest goes first. */
export async function recordMediaUse(ctx: Ctx, key: string): Promise<void> {
  const id = /^cache\/media_attachments\/(\d+)\//.exec(key)?.[1]
  if (id === undefined) return
  const now = ctx.clock.now()
  const times = noted.get(ctx) ?? new Map<MediaId, number>()
  noted.set(ctx, times)
  if (now - (times.get(asId<MediaId>(id)) ?? 0) < day) return
  if (times.size >= maxNoted) times.clear()
  times.set(asId<MediaId>(id), now)
  await sql`
    update media_attachments set used_at = ${new Date(now)}
    where id = ${id} and cached_at is not null and used_at < ${new Date(now - day)}`.execute(ctx.db)
}
