import type { Ctx } from '#ports/ctx.ts'
import { ensureActor, saveActor } from '#federation/ingest/actors/actor.ts'
import { updateStatus } from '#federation/ingest/notes/status.ts'
import { isSameHost, toId, toObject } from '#federation/kit/json.ts'
import type { Handler, Incoming, Outcome } from '../kit/handler.ts'
import { refetchChangedStatus } from '../kit/refetch-status.ts'

/** The actor itself, or a status of its own: an edit, or new counts. */
export const onUpdate: Handler = async (ctx, incoming) => {
  const { actor, json, recipientId } = incoming
  const uri = toId(json['object'])
  if (uri === null || !isSameHost(uri, actor.uri)) return 'ignored'
  if (uri === actor.uri) return onUpdatedActor(ctx, incoming)
  const document = toObject(json['object'])
  if (!document) return refetchChangedStatus(ctx, uri)
  const audience = { to: json['to'], cc: json['cc'] }
  const id = await updateStatus(ctx, document, actor, { recipientId, audience })
  return id === null ? 'ignored' : 'done'
}

async function onUpdatedActor(ctx: Ctx, { actor, json }: Incoming): Promise<Outcome> {
  const document = toObject(json['object'])
  if (document && toId(document) !== actor.uri) return 'ignored'
  const saved = document ? await saveActor(ctx, document) : await ensureActor(ctx, actor.uri, { fresh: true })
  return saved ? 'done' : 'ignored'
}
