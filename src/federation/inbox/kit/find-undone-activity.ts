// What actors took back. It counts for nothing when it arrives later, or is sent again by somebody who recorded it.
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { findEnd, insertEnd, insertTombstone, isTombstone } from '#domain/federation/queue/tombstones.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { mayTry } from '#federation/fetch/failures.ts'
import { hostOf } from '#federation/kit/json.ts'
import { tombstoneOf } from '#federation/ingest/notes/tombstones-of.ts'
import type { Incoming } from './handler.ts'

/** In milliseconds. A signature is good for half a day, but servers try to deliver for two or three. */
export const remembered = 3 * 86_400_000

/** Of one server, within so many seconds: nobody fills the disk with what never was. */
const often = { kind: 'undone', max: 20_000, seconds: 3600 }

/** Remembers that an actor took back, or deleted, what may yet arrive. False when its server did so too often. */
export async function recordUndone(ctx: Ctx, actor: StoredActor, uri: string): Promise<boolean> {
  if (!(await mayTry(ctx, { ...often, name: hostOf(actor.uri) ?? '' }))) return false
  await insertTombstone(ctx, tombstoneOf(actor, uri), remembered)
  return true
}

/** Whether the actor has taken this back, or deleted it. */
export async function isUndoneActivity(
  reader: Reader,
  actor: StoredActor,
  uri: string | null,
): Promise<boolean> {
  return uri !== null && isTombstone(reader, tombstoneOf(actor, uri))
}

const endOf = (actor: StoredActor, uri: string) => `${tombstoneOf(actor, uri)} ended`

/**
 * Remembers that an Undo ended a follow that there was. Some servers (Friendica, Pixelfed) give the next follow of the
 * same account the same id.
 */
export async function recordEnded(reader: Reader, { actor, signedAt }: Incoming, uri: string): Promise<void> {
  if (signedAt) await insertEnd(reader, endOf(actor, uri), { at: signedAt, forMs: remembered })
}

/** Whether a follow was taken back, and is not one that was made after that. */
export async function isFollowUndone(
  reader: Reader,
  { actor, id, signedAt }: Pick<Incoming, 'actor' | 'id' | 'signedAt'>,
): Promise<boolean> {
  if (id === null || !(await isUndoneActivity(reader, actor, id))) return false
  const ended = signedAt && (await findEnd(reader, endOf(actor, id)))
  return !ended || signedAt <= ended
}
