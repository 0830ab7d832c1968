// What the largest parts of something are. From what is kept, or from a bounded number of rows.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { describeDatabase, readDatabaseVersion } from '#db/describe.ts'
import { softwareVersion } from '#domain/server/instance/document-version.ts'
import { getManagedTag } from '#domain/content/tags/manage.ts'
import { languagePrefix } from './count-hosts.ts'
import { plusDays, startOf, type Span } from './days.ts'
import { newestUses } from './measures.ts'
import type { TagId } from '#lib/id.ts'

export const dimensionKeys = [
  'languages',
  'sources',
  'servers',
  'space_usage',
  'software_versions',
  'tag_servers',
  'tag_languages',
  'instance_accounts',
  'instance_languages',
] as const
export type DimensionKey = (typeof dimensionKeys)[number]

interface CountedPart {
  /** What it is of: a locale, a language, a domain, a name. Null for the one without a name: this server's own pages. */
  key: string | null
  value: number
}

export interface Part {
  key: string | null
  value: number | string
}

export interface Dimension {
  key: DimensionKey
  parts: Part[]
}

export interface DimensionQuery {
  span: Span
  /** Parts of each dimension. */
  limit: number
  subjects: {
    tag_servers?: TagId | undefined
    tag_languages?: TagId | undefined
    instance_accounts?: string | undefined
    instance_languages?: string | undefined
  }
}

type Read = (ctx: Ctx, query: DimensionQuery) => Promise<Part[]>

/** Dimensions in the order of `keys`. Throws `not_found` for a hashtag that is not there. */
export async function readDimensions(
  ctx: Ctx,
  keys: readonly DimensionKey[],
  query: DimensionQuery,
): Promise<Dimension[]> {
  const dimensions: Dimension[] = []
  for (const key of keys) dimensions.push({ key, parts: await readers[key](ctx, query) })
  return dimensions
}

const readers: Readonly<Record<DimensionKey, Read>> = {
  languages: readLanguages,
  sources: readSources,
  servers: readServers,
  space_usage: readSpace,
  software_versions: readVersions,
  tag_servers: (ctx, query) => readTagged(ctx, query, 'tag_servers'),
  tag_languages: (ctx, query) => readTagged(ctx, query, 'tag_languages'),
  instance_accounts: readHostAccounts,
  instance_languages: readHostLanguages,
}

const from = ({ start }: Span) => new Date(startOf(start))
const until = ({ end }: Span) => new Date(startOf(plusDays(end, 1)))

/** The languages of the pages of those who were last here within the span. */
async function readLanguages(reader: Reader, { span, limit }: DimensionQuery): Promise<Part[]> {
  const { rows } = await sql<CountedPart>`
    select locale as key, count(*)::float8 as value from users
    where last_active_at >= ${from(span)} and last_active_at < ${until(span)}
    group by 1 order by 2 desc, 1 limit ${limit}`.execute(reader.db)
  return rows
}

/** By which app people signed up; null is the server's own page. */
async function readSources(reader: Reader, { span, limit }: DimensionQuery): Promise<Part[]> {
  const { rows } = await sql<CountedPart>`
    with counted as (
      select created_by_application_id as id, count(*) as count from users
      where created_at >= ${from(span)} and created_at < ${until(span)} group by 1)
    select p.name as key, sum(c.count)::float8 as value from counted c left join applications p on p.id = c.id
    group by 1 order by 2 desc, 1 limit ${limit}`.execute(reader.db)
  return rows
}

/** From where the most posts came. */
async function readServers(reader: Reader, { span, limit }: DimensionQuery): Promise<Part[]> {
  const { rows } = await sql<CountedPart>`
    select host as key, sum(count)::float8 as value from host_daily_counts
    where name = 'statuses' and day between ${span.start}::date and ${span.end}::date
    group by 1 order by 2 desc, 1 limit ${limit}`.execute(reader.db)
  return rows
}

/** Bytes of the database, of the short-lived keys, of files of this server and of copies of others'. */
async function readSpace(ctx: Ctx): Promise<Part[]> {
  const [database, kv] = await Promise.all([describeDatabase(ctx.db), describeKv(ctx)])
  const { rows } = await sql<{ name: string; count: number }>`
    select distinct on (name) name, count::float8 as count from daily_counts
    where name in ('media_bytes', 'media_cache_bytes') order by name, day desc`.execute(ctx.db)
  const kept = (name: string) => rows.find((row) => row.name === name)?.count ?? 0
  return [
    { key: 'postgresql', value: database.bytes },
    ...(kv ? [{ key: 'redis', value: kv.bytes }] : []),
    { key: 'media', value: kept('media_bytes') },
    { key: 'media_cache', value: kept('media_cache_bytes') },
  ]
}

/** Redis may be away; the dashboard shows the rest. */
const describeKv = ({ kv }: Ctx) => kv.describe().catch(() => null)

async function readVersions(ctx: Ctx): Promise<Part[]> {
  const [database, kv, ffmpeg] = await Promise.all([
    readDatabaseVersion(ctx.db),
    describeKv(ctx),
    ctx.media.ffmpegVersion(),
  ])
  return [
    { key: 'stonechat', value: softwareVersion },
    { key: 'node', value: process.versions.node },
    { key: 'postgresql', value: database.split(' ')[0] as string },
    ...(kv ? [{ key: 'redis', value: kv.version }] : []),
    ...(ffmpeg === null ? [] : [{ key: 'ffmpeg', value: ffmpeg }]),
  ]
}

/** Where posts with a hashtag come from, or in which languages they are. */
async function readTagged(
  reader: Reader,
  { span, limit, subjects }: DimensionQuery,
  key: 'tag_servers' | 'tag_languages',
): Promise<Part[]> {
  const tagId = subjects[key]
  if (tagId === undefined) return []
  await getManagedTag(reader, tagId)
  const part =
    key === 'tag_servers'
      ? sql`coalesce(a.domain, ${reader.config.localDomain})`
      : sql`coalesce(s.language, 'und')`
  const { rows } = await sql<CountedPart>`
    select ${part} as key, count(*)::float8 as value from ${newestUses(tagId, span)} st
    join statuses s on s.id = st.status_id join accounts a on a.id = s.account_id
    where s.visibility = 'public' and not s.local_only and s.deleted_at is null
    group by 1 order by 2 desc, 1 limit ${limit}`.execute(reader.db)
  return rows
}

/** Of servers with at most so many accounts it is counted now whom people follow; of others it was counted last night. */
const countedNow = 500

/** Whom of a server most people here follow. */
async function readHostAccounts(reader: Reader, { limit, subjects }: DimensionQuery): Promise<Part[]> {
  const host = subjects.instance_accounts
  if (host === undefined) return []
  const { rows: some } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from accounts where domain = ${host} limit ${countedNow + 1}) a`.execute(reader.db)
  const counted =
    (some[0]?.count ?? 0) > countedNow
      ? sql<CountedPart>`
          select e ->> 'username' as key, (e ->> 'followers')::float8 as value
          from host_totals t cross join lateral jsonb_array_elements(t.top_accounts) with ordinality j (e, rank)
          where t.host = ${host} order by j.rank limit ${limit}`
      : sql<CountedPart>`
          select a.username as key, (
            select count(*) from follows f where f.target_account_id = a.id)::float8 as value
          from accounts a where a.domain = ${host} and a.deleted_at is null
          order by 2 desc, a.id limit ${limit}`
  return (await counted.execute(reader.db)).rows
}

async function readHostLanguages(reader: Reader, { span, limit, subjects }: DimensionQuery): Promise<Part[]> {
  const host = subjects.instance_languages
  if (host === undefined) return []
  // One server has few names a day. A range of them would depend on how the database sorts.
  const { rows } = await sql<CountedPart>`
    select substr(name, ${languagePrefix.length + 1}::int) as key, sum(count)::float8 as value from host_daily_counts
    where host = ${host} and starts_with(name, ${languagePrefix})
      and day between ${span.start}::date and ${span.end}::date
    group by 1 order by 2 desc, 1 limit ${limit}`.execute(reader.db)
  return rows
}
