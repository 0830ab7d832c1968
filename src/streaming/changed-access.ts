// Who listens while something changes that decides whether they may, and what they want to meet.
import type { Ctx } from '#ports/ctx.ts'
import type { Connection } from './connection.ts'
import { endAccess } from './heartbeat.ts'
import type { Hub } from './hub.ts'
import type { RulesCache } from './rules-cache.ts'

/** What concerns everybody. */
const ofAll: ReadonlySet<string> = new Set(['roles', 'ip_blocks', 'token', 'user', 'account'])

/**
 * Ends the streams of those who may not listen any more, as soon as that is told, and reads the rules of the others
 * again. The returned function ends it.
 */
export function watchAccess(ctx: Ctx, hub: Hub, rules: RulesCache): () => void {
  let changed = new Set<string>()
  let isComing = false
  const look = async () => {
    isComing = false
    const names = changed
    changed = new Set()
    const concerned = [...hub.connections].filter((connection) => isConcerned(connection, names))
    for (const { accountId } of concerned) rules.markStale(accountId)
    await doubt(ctx, hub, concerned)
  }
  return ctx.changes.listen((names) => {
    if (hub.connections.size === 0) return
    // What nobody knows may be anything, as what concerns everybody.
    for (const name of names.length > 0 ? names : ofAll) changed.add(name)
    if (isComing) return
    isComing = true
    setImmediate(() => void look())
  })
}

const isConcerned = ({ tokenId, userId, accountId }: Connection, names: ReadonlySet<string>): boolean =>
  names.has(`token ${tokenId}`) ||
  names.has(`user ${userId}`) ||
  names.has(`account ${accountId}`) ||
  !names.isDisjointFrom(ofAll)

/** Looks at the access of some at once, instead of with all others. */
export async function doubt(ctx: Ctx, hub: Hub, connections: readonly Connection[]): Promise<void> {
  if (connections.length === 0) return
  try {
    await endAccess(ctx, hub, connections)
  } catch (error) {
    ctx.log.warn({ err: error }, 'the access of streams could not be looked at: it will be')
  }
}
