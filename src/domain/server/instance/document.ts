// Numbers and texts of the documents in which the server describes itself.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { createTimed } from './document-cache.ts'
import type { Settings } from './settings.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** How long a count of so many rows is shown before they are counted again, in milliseconds. */
export function countLifetime(rows: number, max: number): number {
  return Math.min(Math.max(5_000, rows * perRow), max)
}

/** A row takes about 0.2 microseconds to count: so a thousandth of the time goes into counting, at most. */
const perRow = 0.2

export interface Usage {
  /** Users whose address is confirmed and who were approved. */
  users: number
  /** Signed in within the last 30 days. */
  activeMonth: number
  /** Signed in within the last 180 days. */
  activeHalfyear: number
}

export interface PostCounts {
  /** Posts of this server's users, replies among them, boosts not. */
  posts: number
  /** Those of them that are replies. */
  comments: number
}

/** How many people use the server; some seconds old while they are few, five minutes at most. */
export const getUsage = createTimed((usage: Usage) => countLifetime(usage.users, 5 * minute), readUsage)

/** How much they wrote; some seconds old while that is little, an hour at most. */
export const getPostCounts = createTimed(
  ({ posts }: PostCounts) => countLifetime(posts, 60 * minute),
  readPostCounts,
)

async function readUsage(reader: Reader): Promise<Usage> {
  const now = reader.clock.now()
  const since = (days: number) => new Date(now - days * day)
  const { rows } = await sql<Usage>`
    select count(*)::int as users,
      (count(*) filter (where last_active_at >= ${since(30)}))::int as "activeMonth",
      (count(*) filter (where last_active_at >= ${since(180)}))::int as "activeHalfyear"
    from users where confirmed_at is not null and approved`.execute(reader.db)
  return rows[0] as Usage
}

async function readPostCounts(reader: Reader): Promise<PostCounts> {
  const { rows } = await sql<PostCounts>`
    select count(*)::float8 as posts, (count(*) filter (where reply))::float8 as comments
    from statuses where local and deleted_at is null and reblog_of_id is null`.execute(reader.db)
  return rows[0] as PostCounts
}

/** When a setting was last changed; null when it never was. */
export async function findSettingTime(reader: Reader, key: keyof Settings): Promise<Date | null> {
  const { rows } = await sql<{ updated_at: Date }>`
    select updated_at from settings where key = ${key}`.execute(reader.db)
  return rows[0]?.updated_at ?? null
}

export interface Terms {
  /** `YYYY-MM-DD`. */
  effectiveDate: string
  /** Whether that day has come. */
  effective: boolean
  /** Plain text. */
  text: string
  /** The day from which the next version is in force. */
  succeededBy: string | null
}

/** The terms in force, or, before the first ones are, those to come; with `date` the ones of that day. */
export async function findTerms(reader: Reader, date?: string): Promise<Terms | null> {
  const today = new Date(reader.clock.now()).toISOString().slice(0, 10)
  const { rows } = await sql<{ text: string; day: string }>`
    select text, effective_date::text as day from terms_of_service
    where published_at is not null order by effective_date desc, id desc`.execute(reader.db)
  const chosen =
    date === undefined
      ? (rows.find((row) => row.day <= today) ?? rows.at(-1))
      : rows.find((row) => row.day === date)
  if (!chosen) return null
  const next = rows[rows.indexOf(chosen) - 1]
  return {
    effectiveDate: chosen.day,
    effective: chosen.day <= today,
    text: chosen.text,
    succeededBy: next?.day ?? null,
  }
}
