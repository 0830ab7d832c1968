// How a post travelled, by hour and by server: from counters that the database keeps (ADR 0026). Who read it nobody knows,
// and who did something with it is not told here.
import { sql, type Selectable } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { StatusDomainCountsTable, StatusHourlyCountsTable } from '#db/schema/statuses.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId, StatusId } from '#lib/id.ts'
import { keepReactionCounts } from './keep-counts.ts'

export const reactionKinds = ['favourites', 'reblogs', 'replies', 'quotes'] as const
export type ReactionKind = (typeof reactionKinds)[number]
export type ReactionCounts = Record<ReactionKind, number>

export interface StatusStatistics {
  /** There are no more hours than these. */
  complete: boolean
  totals: ReactionCounts
  /** Hours (of UTC) in which there was something, in their order. */
  hours: (ReactionCounts & { hour: Date })[]
  /** Servers from which something came, those with most first. Null: this one. */
  servers: (ReactionCounts & { domain: string | null })[]
  /** How many servers there are. */
  serversCount: number
}

const maxHours = 720
const maxServers = 50

/** By four queries, whatever came of it. Throws `not_found` for what is no status of the account's own. */
export async function getStatusStatistics(
  ctx: Ctx,
  accountId: AccountId,
  statusId: StatusId,
): Promise<StatusStatistics> {
  const isKept = await areCountsKept(ctx, accountId, statusId)
  return isKept
    ? readCounts(ctx, statusId)
    : ctx.transaction(async (tx) => {
        await keepReactionCounts(tx, statusId)
        return readCounts(tx, statusId)
      })
}

async function areCountsKept(reader: Reader, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`
    select coalesce(t.counts_kept, true) as kept from statuses s left join status_stats t on t.status_id = s.id
    where s.id = ${statusId} and s.account_id = ${accountId} and s.reblog_of_id is null and s.deleted_at is null`.execute(
    reader.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0].kept
}

async function readCounts(reader: Reader, statusId: StatusId): Promise<StatusStatistics> {
  const { rows: hours } = await sql<Omit<Selectable<StatusHourlyCountsTable>, 'status_id'>>`
    select hour, favourites, reblogs, replies, quotes from status_hourly_counts
    where status_id = ${statusId} order by hour limit ${maxHours + 1}`.execute(reader.db)
  const { rows: servers } = await sql<Omit<Selectable<StatusDomainCountsTable>, 'status_id'>>`
    select domain, favourites, reblogs, replies, quotes from status_domain_counts
    where status_id = ${statusId}
    order by favourites + reblogs + replies + quotes desc, domain limit ${maxServers}`.execute(reader.db)
  const { rows: totals } = await sql<ReactionCounts & { servers: number }>`
    select coalesce(sum(favourites), 0)::int as favourites, coalesce(sum(reblogs), 0)::int as reblogs,
      coalesce(sum(replies), 0)::int as replies, coalesce(sum(quotes), 0)::int as quotes, count(*)::int as servers
    from status_domain_counts where status_id = ${statusId}`.execute(reader.db)
  const { servers: serversCount, ...total } = totals[0] ?? { ...none, servers: 0 }
  return {
    complete: hours.length <= maxHours,
    totals: total,
    hours: hours.slice(0, maxHours),
    servers: servers.map(({ domain, ...counts }) => ({ domain: domain === '' ? null : domain, ...counts })),
    serversCount,
  }
}

const none: ReactionCounts = { favourites: 0, reblogs: 0, replies: 0, quotes: 0 }
