import { sql, type QueryExecutorProvider } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { Ctx } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { StatusLine } from './load-lines.ts'
import { isWhole, loadEncounters, type Encounters, type StatusState } from './load-viewer-state.ts'
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
  const { rows } = await askAround(ctx.db, id, max.ancestors, max.depth, max.descendants)
  const { above, below, parents } = rows[0] as Around
  const encounters = await loadEncounters(ctx, viewerId, [id, ...above, ...below])
  const { states } = encounters
  const status = states.get(id)
  if (!status || !isWhole(status, states)) throw notFound()
  const shown = withAll ? states : leaveOut(viewerId, encounters)
  return {
    ancestors: above.filter((one) => shown.has(one)),
    descendants: sortThread(status.line, repliesOf(below, parents, shown)),
    isRemote: status.author.domain !== null,
    states,
  }
}

/** Those whose authors the viewer wants to meet, and their own. */
function leaveOut(
  viewerId: AccountId | null,
  { states, meetsAmongOthers }: Encounters,
): ReadonlyMap<StatusId, StatusState> {
  return new Map([...states].filter(([, { author }]) => author.id === viewerId || meetsAmongOthers(author)))
}

/** What stands above a status, oldest first, and below it, each with what it answers. */
interface Around {
  above: StatusId[]
  below: StatusId[]
  parents: StatusId[]
}

type AroundArguments = [id: StatusId, maxAbove: number, depth: number, maxBelow: number]

const askAround = keepStatement(
  (db: QueryExecutorProvider, ...[id, maxAbove, depth, maxBelow]: AroundArguments) =>
    sql<Around>`
    with recursive up as (
      select s.id, s.in_reply_to_id as parent_id, 0 as step from statuses s where s.id = ${id}
      union all
      select p.id, p.in_reply_to_id, up.step + 1 from up join statuses p on p.id = up.parent_id
      where up.step < ${maxAbove}
    ), down as (
      select s.id, s.in_reply_to_id as parent_id, 1 as step from statuses s where s.in_reply_to_id = ${id}
      union all
      select c.id, c.in_reply_to_id, down.step + 1 from down join statuses c on c.in_reply_to_id = down.id
      where down.step < ${depth}
    ), capped as (select down.id, down.parent_id from down limit ${maxBelow})
    select array(select up.id from up where up.step > 0 order by up.step desc) as above,
      coalesce(c.below, '{}') as below, coalesce(c.parents, '{}') as parents
    from (select array_agg(capped.id order by capped.id) as below,
      array_agg(capped.parent_id order by capped.id) as parents from capped) c`.execute(db),
)

interface Reply {
  id: StatusId
  parentId: StatusId
  accountId: AccountId
}

/** Those that the viewer sees. */
const repliesOf = (
  ids: readonly StatusId[],
  parents: readonly StatusId[],
  states: ReadonlyMap<StatusId, StatusState>,
): Reply[] =>
  ids.flatMap((id, place) => {
    const state = states.get(id)
    const parentId = parents[place]
    return state && parentId ? { id, parentId, accountId: state.line.account_id } : []
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
