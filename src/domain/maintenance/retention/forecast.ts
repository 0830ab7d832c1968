// What the periods of retention would let go if they ended now: those that are set, or others that staff think about.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { countCachedMedia, removeCachedMedia } from '#domain/content/media/cache.ts'
import { findFirstIdSince } from '#domain/reading/notifications/find-since.ts'
import type { Settings } from '#domain/server/instance/settings.ts'
import { timeToId } from '#lib/ids.ts'

const day = 86_400_000
const gigabyte = 1e9
/** More rows are not counted. */
export const maxForecast = 100_000

/** The settings by which something goes. */
export const retentionKeys = [
  'content_cache_retention_period',
  'media_cache_retention_period',
  'media_cache_budget_gb',
  'notification_retention_days',
  'backups_retention_period',
  'ip_retention_period',
  'audit_log_retention_period',
] as const
export type RetentionKey = (typeof retentionKeys)[number]
export type Periods = Pick<Settings, RetentionKey>

export interface Forecast {
  key: RetentionKey
  /** Rows or files that are older, `maxForecast` at most. */
  count: number
  /** Of files. */
  bytes: number | null
  /** Some of these are kept all the same, as what people here touched. */
  atMost: boolean
}

/** What would go by each period that is set. Archives have their end from when they were made: a change is for later ones. */
export async function forecastRetention(ctx: Ctx, periods: Periods): Promise<Forecast[]> {
  const since = (days: number) => new Date(ctx.clock.now() - days * day)
  const found: Forecast[] = []
  const add = (key: RetentionKey, count: number, more: Partial<Forecast> = {}) =>
    found.push({ key, count, bytes: null, atMost: false, ...more })
  const { media_cache_retention_period: mediaDays, media_cache_budget_gb: budget } = periods
  const old = mediaDays === null ? null : await removeCachedMedia(ctx, { days: mediaDays, dryRun: true })
  if (periods.content_cache_retention_period !== null) {
    const before = timeToId(since(periods.content_cache_retention_period).getTime())
    const rows = sql`statuses where id < ${before} and not local and deleted_at is null`
    add('content_cache_retention_period', await countUpTo(ctx, rows), { atMost: true })
  }
  if (old) add('media_cache_retention_period', old.files, { bytes: old.bytes })
  if (budget !== null) {
    const kept = await countCachedMedia(ctx)
    const excess = Math.max(0, kept.bytes - (old?.bytes ?? 0) - budget * gigabyte)
    const share = kept.bytes === 0 ? 0 : excess / kept.bytes
    add('media_cache_budget_gb', Math.round(kept.files * share), { bytes: excess })
  }
  if (periods.notification_retention_days !== null) {
    const before = await findFirstIdSince(ctx, since(periods.notification_retention_days))
    add('notification_retention_days', await countUpTo(ctx, sql`notifications where id < ${before}`), {
      atMost: true,
    })
  }
  if (periods.ip_retention_period !== null) {
    const before = since(periods.ip_retention_period)
    const rows = sql`(
      select 1 from users where sign_up_ip is not null and created_at < ${before}
      union all select 1 from sessions where ip is not null and created_at < ${before}) a`
    add('ip_retention_period', await countUpTo(ctx, rows))
  }
  if (periods.audit_log_retention_period !== null) {
    const before = timeToId(since(periods.audit_log_retention_period).getTime())
    add('audit_log_retention_period', await countUpTo(ctx, sql`audit_log where id < ${before}`))
  }
  return found
}

async function countUpTo(reader: Reader, rows: RawBuilder<unknown>): Promise<number> {
  const { rows: found } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from ${rows} limit ${maxForecast}) c`.execute(reader.db)
  return found[0]?.count ?? 0
}
