import { isAnyFollowed } from '#domain/content/statuses/remote/remote-references.ts'
import type { Ctx } from '#ports/ctx.ts'
import { ingestStatus } from '#federation/ingest/notes/status.ts'
import { isSameHost, openBearcap, toId, toIds, toObject, type JsonObject } from '#federation/kit/json.ts'
import { isOwnUri } from '#federation/kit/uris.ts'
import type { Handler, Incoming, Outcome } from '../kit/handler.ts'
import { refetchStatus } from '../kit/refetch-status.ts'
import { isVote, onVote } from './vote.ts'

/** A status or a vote, of the actor's own server. */
export const onCreate: Handler = async (ctx, incoming) => {
  const { actor, json, recipientId } = incoming
  const uri = openBearcap(toId(json['object']) ?? '')
  if (uri === '' || !isSameHost(uri, actor.uri)) return 'ignored'
  const document = toObject(json['object'])
  if (!document) return onNamed(ctx, incoming, uri)
  if (!isOf(document, actor.uri)) return 'ignored'
  if (isVote(document)) return onVote(ctx, incoming, document)
  const audience = { to: json['to'], cc: json['cc'] }
  const id = await ingestStatus(ctx, { document, author: actor, recipientId, audience, via: 'inbox' })
  return id === null ? 'ignored' : 'done'
}

/** Nobody is said to have written what is not said to be anybody's but whoever created it. */
function isOf(document: JsonObject, actorUri: string): boolean {
  const authors = toIds(document['attributedTo'])
  return authors.length === 0 || authors.includes(actorUri)
}

/** Only its address was sent. It is fetched when it is for somebody here. */
async function onNamed(ctx: Ctx, { actor, json, recipientId }: Incoming, uri: string): Promise<Outcome> {
  const addressed = [...toIds(json['to']), ...toIds(json['cc'])].some((one) => isOwnUri(ctx.config, one))
  const isWanted = addressed || recipientId !== null || (await isAnyFollowed(ctx, [actor.id]))
  return isWanted ? refetchStatus(ctx, uri) : 'ignored'
}
