import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { getVisibleStatus } from './queries.ts'
import { visibleTo } from './visibility.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface ContextIds {
  /** Oldest first. */
  ancestors: StatusId[]
  /** Depth first: each status is followed by the replies to it, oldest first, the author's own chain before all. */
  descendants: StatusId[]
  /** It is another server's, where more of it may be. */
  isRemote: boolean
}

/** How much of a thread is told: all of it to those signed in, for any thread people write. */
const whole = { ancestors: 4096, descendants: 4096, depth: 4096 }
const preview = { ancestors: 40, descendants: 60, depth: 20 }

/** The thread around a status as far as the viewer may see it. Throws `not_found`. */
export async function listContext(ctx: Ctx, viewerId: AccountId | null, id: StatusId): Promise<ContextIds> {
  const max = viewerId === null ? preview : whole
  const [status, ancestors, descendants] = await Promise.all([
    getVisibleStatus(ctx, viewerId, id),
    listAncestors(ctx, viewerId, id, max),
    listDescendants(ctx, viewerId, id, max),
  ])
  return { ancestors, descendants: sortThread(id, status.account_id, descendants), isRemote: !status.local }
}

/** Of a status: its place in the thread, and what `visibleTo` looks at. */
function columnsOf(alias: string): RawBuilder<unknown> {
  const s = sql.id(alias)
  return sql`${s}.id, ${s}.in_reply_to_id as parent_id, ${s}.account_id, ${s}.visibility, ${s}.local_only, ${s}.deleted_at`
}

type Max = typeof whole

async function listAncestors(
  { db }: Reader,
  viewerId: AccountId | null,
  id: StatusId,
  max: Max,
): Promise<StatusId[]> {
  const { rows } = await askAncestors(db, viewerId, id, max.ancestors)
  return rows.map((row) => row.id)
}

const askAncestors = keepStatement(
  (db: QueryExecutorProvider, viewerId: AccountId | null, id: StatusId, max: number) =>
    sql<{ id: StatusId }>`
    with recursive up as (
      select ${columnsOf('s')}, 0 as step from statuses s where s.id = ${id}
      union all
      select ${columnsOf('p')}, up.step + 1 from up join statuses p on p.id = up.parent_id
      where up.step < ${max}
    )
    select up.id from up where up.step > 0 and ${visibleTo(viewerId, 'up')} order by up.step desc`.execute(
      db,
    ),
)

interface Descendant {
  id: StatusId
  parent_id: StatusId
  account_id: AccountId
}

/** The branch below a reply that the viewer cannot see is told as far as they may see it. */
async function listDescendants(
  { db }: Reader,
  viewerId: AccountId | null,
  id: StatusId,
  max: Max,
): Promise<Descendant[]> {
  const { rows } = await askDescendants(db, viewerId, id, max.depth, max.descendants)
  return rows
}

const askDescendants = keepStatement(
  (
    db: QueryExecutorProvider,
    ...[viewerId, id, depth, max]: [viewerId: AccountId | null, id: StatusId, depth: number, max: number]
  ) =>
    sql<Descendant>`
    with recursive down as (
      select ${columnsOf('s')}, 1 as step from statuses s where s.in_reply_to_id = ${id}
      union all
      select ${columnsOf('c')}, down.step + 1 from down join statuses c on c.in_reply_to_id = down.id
      where down.step < ${depth}
    ), capped as (select * from down limit ${max})
    select capped.id, capped.parent_id, capped.account_id from capped
    where ${visibleTo(viewerId, 'capped')} order by capped.id`.execute(db),
)

/** Puts replies below what they answer. An author's answers to themselves come first, as Mastodon shows them. */
function sortThread(rootId: StatusId, rootAccountId: AccountId, rows: readonly Descendant[]): StatusId[] {
  const known = new Map(rows.map((row) => [row.id, row]))
  const children = new Map<StatusId, Descendant[]>()
  for (const row of rows) {
    const parentId = known.has(row.parent_id) ? row.parent_id : rootId
    const siblings = children.get(parentId)
    if (siblings) siblings.push(row)
    else children.set(parentId, [row])
  }
  const sorted: StatusId[] = []
  const stack: { id: StatusId; accountId: AccountId }[] = [{ id: rootId, accountId: rootAccountId }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.id !== rootId) sorted.push(next.id)
    const replies = children.get(next.id) ?? []
    const own = replies.filter((row) => row.account_id === next.accountId)
    const others = replies.filter((row) => row.account_id !== next.accountId)
    for (const row of [...own, ...others].toReversed()) stack.push({ id: row.id, accountId: row.account_id })
  }
  return sorted
}
