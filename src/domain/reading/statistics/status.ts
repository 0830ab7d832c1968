// How a post travelled: counted from what is there anyway, by hour and by server. Who read it nobody knows, and who did
// something with it is not told here.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export const reactionKinds = ['favourites', 'reblogs', 'replies', 'quotes'] as const
export type ReactionKind = (typeof reactionKinds)[number]
export type ReactionCounts = Record<ReactionKind, number>

export interface StatusStatistics {
  /** All of it was counted. */
  complete: boolean
  totals: ReactionCounts
  /** Hours (of UTC) in which there was something, in their order. */
  hours: (ReactionCounts & { hour: Date })[]
  /** Servers from which something came, those with most first. Null: this one. */
  servers: (ReactionCounts & { domain: string | null })[]
  /** How many servers there are. */
  serversCount: number
}

/** Of each kind, the newest that are counted. */
const maxCounted = 20_000
const maxHours = 720
const maxServers = 50

interface Row {
  kind: ReactionKind
  /** Null: the row is of a server. */
  hour: Date | null
  domain: string | null
  count: number
}

/** Throws `not_found` for what is no status of the account's own. */
export async function getStatusStatistics(
  reader: Reader,
  accountId: AccountId,
  statusId: StatusId,
): Promise<StatusStatistics> {
  await assertOwn(reader, accountId, statusId)
  const { rows } = await sql<Row>`
    select r.kind, date_trunc('hour', r.created_at, 'UTC') as hour, a.domain, count(*)::int as count
    from (${reactionsTo(statusId)}) r join accounts a on a.id = r.account_id
    group by grouping sets ((r.kind, date_trunc('hour', r.created_at, 'UTC')), (r.kind, a.domain))`.execute(
    reader.db,
  )
  const hours = sumUp(
    rows.filter((row) => row.hour !== null),
    (row) => (row.hour as Date).getTime(),
  )
  const servers = sumUp(
    rows.filter((row) => row.hour === null),
    (row) => row.domain,
  )
  const totals = add([...servers.values()])
  return {
    complete: reactionKinds.every((kind) => totals[kind] < maxCounted),
    totals,
    hours: [...hours]
      .toSorted(([a], [b]) => a - b)
      .slice(0, maxHours)
      .map(([time, counts]) => ({ hour: new Date(time), ...counts })),
    servers: [...servers]
      .toSorted(([, a], [, b]) => sumOf(b) - sumOf(a))
      .slice(0, maxServers)
      .map(([domain, counts]) => ({ domain, ...counts })),
    serversCount: servers.size,
  }
}

async function assertOwn(reader: Reader, accountId: AccountId, statusId: StatusId): Promise<void> {
  const { rows } = await sql`
    select 1 from statuses
    where id = ${statusId} and account_id = ${accountId} and reblog_of_id is null and deleted_at is null`.execute(
    reader.db,
  )
  if (rows.length === 0) throw notFound()
}

/** What counts for the counters of the status, too: each kind by an index of its own. */
function reactionsTo(statusId: StatusId): RawBuilder<unknown> {
  return sql`
    (select 'favourites' as kind, f.created_at, f.account_id from favourites f
      where f.status_id = ${statusId} order by f.id desc limit ${maxCounted})
    union all
    (select 'reblogs', s.created_at, s.account_id from statuses s
      where s.reblog_of_id = ${statusId} and s.deleted_at is null order by s.id desc limit ${maxCounted})
    union all
    (select 'replies', s.created_at, s.account_id from statuses s
      where s.in_reply_to_id = ${statusId} and s.deleted_at is null and s.visibility in ('public', 'unlisted')
      order by s.id desc limit ${maxCounted})
    union all
    (select 'quotes', q.created_at, s.account_id from quotes q join statuses s on s.id = q.status_id
      where q.quoted_status_id = ${statusId} and q.state = 'accepted' and s.deleted_at is null
      order by q.status_id desc limit ${maxCounted})`
}

const none = (): ReactionCounts => ({ favourites: 0, reblogs: 0, replies: 0, quotes: 0 })
const sumOf = (counts: ReactionCounts) => reactionKinds.reduce((sum, kind) => sum + counts[kind], 0)

function sumUp<Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, ReactionCounts> {
  const found = new Map<Key, ReactionCounts>()
  for (const row of rows) {
    const counts = found.get(keyOf(row)) ?? none()
    counts[row.kind] = row.count
    found.set(keyOf(row), counts)
  }
  return found
}

function add(list: readonly ReactionCounts[]): ReactionCounts {
  const total = none()
  for (const counts of list) for (const kind of reactionKinds) total[kind] += counts[kind]
  return total
}
