import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { createTimed } from './document-cache.ts'
import { getUsage } from './document.ts'

/** How large the server is, and how far its queues are behind. */
export interface ServerSize {
  /** How long the oldest entry that is due has waited, in seconds. */
  queues: { jobs: number; deliveries: number; incoming: number }
  users: { confirmed: number; active_month: number; active_half_year: number; waiting: number }
  /** Bytes of files, as far as their rows tell. `cached`: copies of other servers' files. */
  media: { local: number; cached: number }
  databaseBytes: number
}

/** Adding up all media takes long on a large server: so often is enough, in milliseconds. */
const mediaLifetime = 3_600_000

const getMediaBytes = createTimed(() => mediaLifetime, readMediaBytes)

/** Returns what the database says now; how many people there are is up to five minutes old, media an hour. */
export async function readServerSize(reader: Reader): Promise<ServerSize> {
  const [usage, media, { databaseBytes, waiting, ...queues }] = await Promise.all([
    getUsage(reader),
    getMediaBytes(reader),
    readAges(reader),
  ])
  const { users: confirmed, activeMonth: active_month, activeHalfyear: active_half_year } = usage
  return { queues, users: { confirmed, active_month, active_half_year, waiting }, media, databaseBytes }
}

interface Ages {
  jobs: number
  deliveries: number
  incoming: number
  waiting: number
  databaseBytes: number
}

async function readAges(reader: Reader): Promise<Ages> {
  const now = new Date(reader.clock.now())
  const { rows } = await sql<Ages>`
    select
      (select coalesce(greatest(extract(epoch from now() - min(run_at)), 0), 0) from graphile_worker.jobs
        where locked_at is null and attempts < max_attempts and run_at <= now())::float8 as jobs,
      (select coalesce(greatest(extract(epoch from ${now}::timestamptz - min(due_at)), 0), 0)
        from deliveries where due_at <= ${now})::float8 as deliveries,
      (select coalesce(greatest(extract(epoch from ${now}::timestamptz - min(created_at)), 0), 0)
        from incoming_activities where failed_at is null)::float8 as incoming,
      (select count(*) from users where confirmed_at is not null and not approved)::int as waiting,
      pg_database_size(current_database())::float8 as "databaseBytes"`.execute(reader.db)
  return rows[0] as Ages
}

async function readMediaBytes(reader: Reader): Promise<ServerSize['media']> {
  const { rows } = await sql<ServerSize['media']>`
    select
      (coalesce(sum(coalesce(original_bytes, 0) + coalesce(preview_bytes, 0)) filter (where remote_url is null), 0))::float8
        as local,
      (coalesce(sum(coalesce(original_bytes, 0) + coalesce(preview_bytes, 0)) filter (where remote_url is not null), 0)
        + (select coalesce(sum(image_bytes), 0) from preview_cards))::float8 as cached
    from media_attachments`.execute(reader.db)
  return rows[0] as ServerSize['media']
}
