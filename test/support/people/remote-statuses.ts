// Statuses of other servers as the inbox hands them on, for tests of what then becomes of them.
import { ensureActor } from '#federation/ingest/actors/actor.ts'
import { ingestStatus, updateStatus, type IncomingStatus } from '#federation/ingest/notes/status.ts'
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import type { NetworkServer } from '#test/servers/network.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { JsonObject } from '#test/peer/documents.ts'

type More = Partial<Omit<IncomingStatus, 'document' | 'author'>>

export async function stored(app: NetworkServer, actor: PeerActor): Promise<StoredActor> {
  const found = await ensureActor(app.ctx, actor.uri)
  if (!found) throw new Error(`${actor.uri} could not be stored`)
  return found
}

/** What a signed Create of the note leads to, with all that follows. Returns the status's id, or null. */
export async function arrive(app: NetworkServer, actor: PeerActor, note: JsonObject, more: More = {}) {
  const id = await ingestStatus(app.ctx, { document: note, author: await stored(app, actor), ...more })
  await app.settle()
  return id
}

/** As `arrive`, of one that is wanted whatever it is about. */
export async function arriveWanted(app: NetworkServer, actor: PeerActor, note: JsonObject): Promise<string> {
  const id = await arrive(app, actor, note, { via: 'fetch' })
  if (id === null) throw new Error('the status was not stored')
  return id
}

/** What a signed Update of the note leads to. */
export async function change(app: NetworkServer, actor: PeerActor, note: JsonObject) {
  const id = await updateStatus(app.ctx, note, await stored(app, actor))
  await app.settle()
  return id
}
