// What actors took back. It counts for nothing when it arrives later, or is sent again by somebody who recorded it.
import type { StoredActor } from '#domain/accounts/remote-actors.ts'
import {
  findEnd,
  insertEnd,
  insertTombstone,
  isAnyTombstone,
  isTombstone,
  lockUri,
} from '#domain/exchange/tombstones.ts'
import type { Reader, Tx } from '#ports/ctx.ts'
import type { Incoming } from './handler.ts'

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

const endOf = (actor: StoredActor, uri: string) => `${nameOf(actor, uri)} ended`

/**
 * Remembers that an Undo ended a follow that there was. Some servers (Friendica, Pixelfed) give the next follow of the
 * same account the same id.
 */
export async function rememberEnded(
  reader: Reader,
  { actor, signedAt }: Incoming,
  uri: string,
): Promise<void> {
  if (signedAt) await insertEnd(reader, endOf(actor, uri), { at: signedAt, forMs: remembered })
}

/** Whether a follow was taken back, and is not one that was made after that. */
export async function isFollowUndone(
  reader: Reader,
  { actor, id, signedAt }: Pick<Incoming, 'actor' | 'id' | 'signedAt'>,
): Promise<boolean> {
  if (id === null || !(await isUndone(reader, actor, id))) return false
  const ended = signedAt && (await findEnd(reader, endOf(actor, id)))
  return !ended || signedAt <= ended
}

/**
 * SQL for whether a status is never to come, asked by whoever stores it now, in a statement of their own: who deletes it
 * waits until the transaction ends, and finds it then. Of one that was deleted before it came it may only be known who
 * did it.
 */
export async function askBuried(tx: Tx, author: StoredActor, uri: string) {
  const names = [uri, nameOf(author, uri)]
  await lockUri(tx, ...names)
  return { isBuried: isAnyTombstone(tx, names) }
}
