// What actors took back. It counts for nothing when it arrives later, or is sent again by somebody who recorded it.
import type { StoredActor } from '#domain/accounts/remote-actors.ts'
import { filterTombstones, insertTombstone, isTombstone, lockUri } from '#domain/exchange/tombstones.ts'
import type { Reader, Tx } from '#ports/ctx.ts'

/** In milliseconds. A signature is good for half a day, but servers try to deliver for two or three. */
export const remembered = 3 * 86_400_000

/** By actor: nobody keeps another's activity out by taking it back beforehand. */
const nameOf = (actor: StoredActor, uri: string) => `${actor.uri} ${uri}`

/** Remembers that an actor took back, or deleted, what may yet arrive. */
export async function rememberUndone(reader: Reader, actor: StoredActor, uri: string): Promise<void> {
  await insertTombstone(reader, nameOf(actor, uri), remembered)
}

/** Whether the actor has taken this back, or deleted it. */
export async function isUndone(reader: Reader, actor: StoredActor, uri: string | null): Promise<boolean> {
  return uri !== null && isTombstone(reader, nameOf(actor, uri))
}

/**
 * Whether a status is never to come, asked by whoever stores it now: who deletes it waits until the transaction ends,
 * and finds it then. Of one that was deleted before it came it may only be known who did it.
 */
export async function isBuried(tx: Tx, author: StoredActor, uri: string): Promise<boolean> {
  const names = [uri, nameOf(author, uri)]
  await lockUri(tx, ...names)
  return (await filterTombstones(tx, names)).size > 0
}
