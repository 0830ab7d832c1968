import type { Ctx } from '#ports/ctx.ts'
import { keepHomes, keepLists, ownsList } from '#domain/reading/timelines/streamed.ts'
import type { Connection } from './connection.ts'
import type { Hub } from './hub.ts'
import { streamsPerSocket } from './limits.ts'
import {
  findStream,
  isRefusal,
  notYourList,
  type Listener,
  type Refusal,
  type Stream,
  type StreamRequest,
} from './streams.ts'

const tooManyStreams: Refusal = { error: 'Too many subscriptions', status: 429 }

/**
 * The stream that is asked for, or why the listener does not get it. Sees to it that its feed is written from now on.
 * Asks the database only where it must: a subscription is to be in force at once, because clients post right after it.
 */
export async function openStream(
  ctx: Ctx,
  listener: Listener,
  asked: StreamRequest,
): Promise<Stream | Refusal> {
  const stream = findStream(listener, asked)
  if (isRefusal(stream) || stream.listId === null) return stream
  if (!(await ownsList(ctx, listener.accountId, stream.listId))) return notYourList
  await keepLists(ctx, [stream.listId])
  return stream
}

/**
 * Has the listener's home feed written from now on, before a connection is opened on which they may ask for it. For
 * those who may not it does nothing.
 */
export async function openHome(ctx: Ctx, listener: Listener): Promise<void> {
  if (!isRefusal(findStream(listener, { stream: 'user' }))) await keepHomes(ctx, [listener.accountId])
}

/** Lets a connection follow a stream, at once. Returns why not. */
export function join(hub: Hub, connection: Connection, stream: Stream): Refusal | null {
  if (!connection.topics.has(stream.topic) && connection.topics.size >= streamsPerSocket)
    return tooManyStreams
  hub.follow(connection, stream)
  return null
}
