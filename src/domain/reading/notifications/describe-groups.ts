import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { inGroup, isUngrouped } from './group-key.ts'
import {
  notificationsOfShown,
  type NotificationFilter,
  type NotificationRow,
  type Recipient,
} from './queries.ts'
import { type KeyedRow, type Range } from './walk-groups.ts'
import type { AccountId, IdCursor, NotificationId } from '#lib/id.ts'
import { maxId } from '#lib/ids.ts'

/** A group as far as it matches what was asked for. */
export interface NotificationGroup {
  key: string
  /** One of it: all have the same kind and subject. */
  row: NotificationRow
  /** Counted up to 10,000. */
  count: number
  mostRecentId: NotificationId
  /** The latest, at most eight, newest first. */
  sampleAccountIds: AccountId[]
  /** What of it lies on the page. */
  page: { minId: IdCursor; maxId: IdCursor; latestAt: Date }
}

/** Rows of one group that are counted. */
const maxCounted = 10_000
const samples = 8

interface GroupFacts {
  key: string
  count: number
  most_recent_id: NotificationId
  sample: AccountId[]
  /** The other end of what lies on the page. */
  far_id: NotificationId
  far_at: Date
}

interface Described {
  filter: NotificationFilter
  rows: readonly KeyedRow[]
  /** null: they stand on no page. */
  range: Range | null
}

/** The groups that rows stand for; those of which nothing is left are left out. */
export async function describeGroups(
  reader: Reader,
  recipient: Recipient,
  described: Described,
): Promise<NotificationGroup[]> {
  const facts = await loadFacts(reader, recipient, described)
  const descending = described.range?.descending ?? true
  return described.rows.flatMap((row): NotificationGroup[] => {
    if (isUngrouped(row.key)) return [groupOfOne(row)]
    const fact = facts.get(row.key)
    if (!fact) return []
    return [
      {
        key: row.key,
        row,
        count: fact.count,
        mostRecentId: fact.most_recent_id,
        sampleAccountIds: fact.sample,
        page: descending
          ? { minId: fact.far_id, maxId: row.id, latestAt: row.created_at }
          : { minId: row.id, maxId: fact.far_id, latestAt: fact.far_at },
      },
    ]
  })
}

/** A notification by itself. */
export function groupOfOne(row: KeyedRow): NotificationGroup {
  return {
    key: row.key,
    row,
    count: 1,
    mostRecentId: row.id,
    sampleAccountIds: [row.from_account_id],
    page: { minId: row.id, maxId: row.id, latestAt: row.created_at },
  }
}

async function loadFacts(
  reader: Reader,
  recipient: Recipient,
  { filter, rows: described, range }: Described,
): Promise<Map<string, GroupFacts>> {
  const keys = described.filter((row) => !isUngrouped(row.key)).map((row) => row.key)
  if (keys.length === 0) return new Map()
  const source = notificationsOfShown(reader, recipient, filter)
  const { lowest, highest, descending } = range ?? { lowest: '0', highest: maxId, descending: true }
  const { rows } = await sql<GroupFacts>`
    select k.key, g.*, far.id as far_id, far.created_at as far_at
    from unnest(${keys}::text[]) k (key)
    cross join lateral (
      select count(*)::int as count, coalesce(max(m.id), 0) as most_recent_id,
        (array_agg(m.from_account_id order by m.id desc))[1:${sql.lit(samples)}] as sample
      from (
        select n.id, n.from_account_id ${source} and ${inGroup('n', sql`k.key`)} order by n.id desc limit ${maxCounted}) m) g
    cross join lateral (
      select n.id, n.created_at ${source} and ${inGroup('n', sql`k.key`)}
        and n.id >= ${lowest}::bigint and n.id <= ${highest}::bigint
      order by n.id ${sql.raw(descending ? 'asc' : 'desc')} limit 1) far`.execute(reader.db)
  return new Map(rows.map((row) => [row.key, row]))
}
