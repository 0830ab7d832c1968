import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { getPostCounts, getUsage } from '#domain/server/instance/document.ts'
import { readDimensions } from './dimensions.ts'
import { dayOf, plusDays, type Span } from './days.ts'
import { readMeasures } from './measures.ts'

/** The main numbers of the server, for people at the command line. */
export interface Stats {
  users: number
  /** Who was here in the last 24 hours or so, seven days, thirty days: today and the days before it. */
  active_users: { day: number; week: number; month: number }
  /** Who signed up in the last seven and thirty days. */
  new_users: { week: number; month: number }
  /** Posts of people of this server, and those of them that are replies. */
  posts: number
  replies: number
  /** Of the last seven days. */
  interactions: number
  pending_users: number
  open_reports: number
  /** Servers of which accounts are known. */
  known_servers: number
  /** Bytes, by what takes them. */
  space: Record<string, number>
}

/** Reads them: from what is kept, but for what is counted quickly. */
export async function readStats(ctx: Ctx): Promise<Stats> {
  const today = dayOf(ctx.clock.now())
  const last = (days: number): Span => ({ start: plusDays(today, 1 - days), end: today })
  const [usage, posts, waiting] = [await getUsage(ctx), await getPostCounts(ctx), await readWaiting(ctx)]
  const week = await totals(ctx, last(7))
  const month = await totals(ctx, last(30))
  const { active_users: day } = await totals(ctx, last(1))
  const [space] = await readDimensions(ctx, ['space_usage'], { span: last(1), limit: 1, subjects: {} })
  return {
    users: usage.users,
    active_users: { day, week: week.active_users, month: month.active_users },
    new_users: { week: week.new_users, month: month.new_users },
    posts: posts.posts,
    replies: posts.comments,
    interactions: week.interactions,
    ...waiting,
    space: Object.fromEntries(space?.parts.map(({ key, value }) => [key, Number(value)]) ?? []),
  }
}

async function totals(reader: Reader, span: Span) {
  const keys = ['active_users', 'new_users', 'interactions'] as const
  const found = await readMeasures(reader, keys, span, {})
  const total = (key: (typeof keys)[number]) => found.find((one) => one.key === key)?.total ?? 0
  return {
    active_users: total('active_users'),
    new_users: total('new_users'),
    interactions: total('interactions'),
  }
}

/** What waits for staff, and how many servers are known. */
async function readWaiting(reader: Reader) {
  const { rows } = await sql<Pick<Stats, 'pending_users' | 'open_reports' | 'known_servers'>>`
    select (select count(*) from users where not approved)::float8 as pending_users,
      (select count(*) from reports where action_taken_at is null)::float8 as open_reports,
      (select count(*) from host_totals)::float8 as known_servers`.execute(reader.db)
  return rows[0] as NonNullable<(typeof rows)[0]>
}
