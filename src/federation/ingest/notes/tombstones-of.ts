// Under which names a tombstone keeps out what was taken back or deleted before it came.
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { filterTombstones, lockUri } from '#domain/federation/queue/tombstones.ts'
import type { Tx } from '#ports/ctx.ts'

/** Returns the name for what this actor took back. By actor: nobody keeps another's activity out by taking it back beforehand. */
export const tombstoneOf = (actor: StoredActor, uri: string) => `${actor.uri} ${uri}`

/**
 * Returns the names under which a status may have a tombstone. Of one that was deleted before it came, it may only be
 * known who did it.
 */
export const tombstonesOf = (author: StoredActor, uri: string) => [uri, tombstoneOf(author, uri)]

/**
 * Returns those of these names that have a tombstone, for whoever stores something now: who deletes it waits until the
 * transaction ends, and finds it then.
 */
export async function findTombstones(tx: Tx, names: readonly string[]): Promise<Set<string>> {
  await lockUri(tx, ...names)
  return filterTombstones(tx, names)
}
