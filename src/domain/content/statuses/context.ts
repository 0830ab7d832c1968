import { sql, type QueryExecutorProvider } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { Ctx } from '#ports/ctx.ts'
import { passesStatusFilter } from '#domain/social/relationships/rules.ts'
import { notFound } from '#lib/errors.ts'
import { unique } from '#lib/collections.ts'
import type { StatusLine } from './load-lines.ts'
import { loadStatusStates, type StatusState } from './load-viewer-state.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface Thread {
  /** Oldest first. */
  ancestors: StatusId[]
  /** Depth first: each status is followed by the replies to it, oldest first, the author's own chain before all. */
  descendants: StatusId[]
  /** It is another server's, where more of it may be. */
  isRemote: boolean
  /** What the viewer sees of all of these, and of what they boost. */
  states: ReadonlyMap<StatusId, StatusState>
}

/** How much of a thread is told: all of it to those signed in, for any thread people write. */
const whole = { ancestors: 4096, descendants: 4096, depth: 4096 }
const preview = { ancestors: 40, descendants: 60, depth: 20 }

/**
 * The thread around a status as far as the viewer may see it, without those whom they do not want to meet: the branch
 * below a reply that is left out is told all the same. `withAll`: nobody is left out, as for those who judge it. Throws
 * `not_found`.
 */
export async function listContext(
  ctx: Ctx,
  viewerId: AccountId | null,
  id: StatusId,
  { withAll = false } = {},
): Promise<Thread> {
  const max = viewerId === null ? preview : whole
  const [{ rows: above }, { rows: below }] = await Promise.all([
    askAncestors(ctx.db, id, max.ancestors),
    askDescendants(ctx.db, id, max.depth, max.descendants),
  ])
  const states = await loadStatusStates(ctx, viewerId, [id, ...[...above, ...below].map((row) => row.id)])
  const status = states.get(id)
  // A boost is there for those who see what it boosts.
  if (!status || (status.line.reblog_of_id !== null && !states.has(status.line.reblog_of_id)))
    throw notFound()
  const shown = withAll ? states : await leaveOut(ctx, viewerId, states)
  return {
    ancestors: above.flatMap((row) => (shown.has(row.id) ? row.id : [])),
    descendants: sortThread(status.line, repliesOf(below, shown)),
    isRemote: status.author.domain !== null,
    states,
  }
}

/** Those whose authors the viewer wants to meet, and their own. */
async function leaveOut(
  { db, clock }: Ctx,
  viewerId: AccountId | null,
  states: ReadonlyMap<StatusId, StatusState>,
): Promise<ReadonlyMap<StatusId, StatusState>> {
  const others = unique([...states.values()].map(({ line }) => line.account_id)).filter(
    (one) => one !== viewerId,
  )
  if (others.length === 0) return states
  const { rows } = await askFiltered(db, viewerId, others, new Date(clock.now()))
  if (rows.length === 0) return states
  const filtered = new Set(rows.map((row) => row.id))
  return new Map([...states].filter(([, { line }]) => !filtered.has(line.account_id)))
}

const askFiltered = keepStatement(
  (db: QueryExecutorProvider, viewerId: AccountId | null, accountIds: readonly AccountId[], now: Date) =>
    sql<{ id: AccountId }>`
    select a.id from accounts a
    where a.id = any(${accountIds}::bigint[]) and not ${passesStatusFilter(viewerId, 'a', now)}`.execute(db),
)

const askAncestors = keepStatement((db: QueryExecutorProvider, id: StatusId, max: number) =>
  sql<{ id: StatusId }>`
    with recursive up as (
      select s.id, s.in_reply_to_id as parent_id, 0 as step from statuses s where s.id = ${id}
      union all
      select p.id, p.in_reply_to_id, up.step + 1 from up join statuses p on p.id = up.parent_id
      where up.step < ${max}
    )
    select up.id from up where up.step > 0 order by up.step desc`.execute(db),
)

const askDescendants = keepStatement((db: QueryExecutorProvider, id: StatusId, depth: number, max: number) =>
  sql<{ id: StatusId; parent_id: StatusId }>`
    with recursive down as (
      select s.id, s.in_reply_to_id as parent_id, 1 as step from statuses s where s.in_reply_to_id = ${id}
      union all
      select c.id, c.in_reply_to_id, down.step + 1 from down join statuses c on c.in_reply_to_id = down.id
      where down.step < ${depth}
    ), capped as (select down.id, down.parent_id from down limit ${max})
    select capped.id, capped.parent_id from capped order by capped.id`.execute(db),
)

interface Reply {
  id: StatusId
  parentId: StatusId
  accountId: AccountId
}

/** Those that the viewer sees. */
const repliesOf = (
  rows: readonly { id: StatusId; parent_id: StatusId }[],
  states: ReadonlyMap<StatusId, StatusState>,
): Reply[] =>
  rows.flatMap(({ id, parent_id: parentId }) => {
    const state = states.get(id)
    return state ? { id, parentId, accountId: state.line.account_id } : []
  })

/** Puts replies below what they answer. An author's answers to themselves come first, as Mastodon shows them. */
function sortThread(root: StatusLine, replies: readonly Reply[]): StatusId[] {
  const known = new Set(replies.map((reply) => reply.id))
  const answers = new Map<StatusId, Reply[]>()
  for (const reply of replies) {
    const parentId = known.has(reply.parentId) ? reply.parentId : root.id
    const siblings = answers.get(parentId)
    if (siblings) siblings.push(reply)
    else answers.set(parentId, [reply])
  }
  const sorted: StatusId[] = []
  const stack = [{ id: root.id, accountId: root.account_id }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { id, accountId } = next
    if (id !== root.id) sorted.push(id)
    const below = answers.get(id) ?? []
    const own = below.filter((reply) => reply.accountId === accountId)
    const others = below.filter((reply) => reply.accountId !== accountId)
    stack.push(...[...own, ...others].toReversed())
  }
  return sorted
}
