import { answerQuoteRequest } from '#domain/content/statuses/quotes/answer-request.ts'
import type { Ctx } from '#ports/ctx.ts'
import { ingestStatus } from '#federation/ingest/notes/status.ts'
import { isSameHost, toId, toIds, toObject } from '#federation/kit/json.ts'
import type { Handler, Incoming } from '../kit/handler.ts'
import { findLocalStatus } from '../kit/local.ts'
import { findOrFetch } from '../kit/refetch-status.ts'
import type { StatusId } from '#lib/id.ts'

/** The actor asks whether a status of its own may quote a local one (https://w3id.org/fep/044f). */
export const onQuoteRequest: Handler = async (ctx, incoming) => {
  const { actor, id, json } = incoming
  const quoted = await findLocalStatus(ctx, toId(json['object']))
  if (!quoted || id === null) return 'ignored'
  const statusId = await findQuoting(ctx, incoming)
  if (statusId === 'later') return 'later'
  if (statusId === null) return 'ignored'
  const request = { statusId, accountId: actor.id, quotedId: quoted.id, requestUri: id }
  return (await answerQuoteRequest(ctx, request)) ? 'done' : 'ignored'
}

/** It may be embedded, because it is not yet to be seen by everybody. */
async function findQuoting(ctx: Ctx, { actor, json }: Incoming): Promise<StatusId | 'later' | null> {
  const uri = toId(json['instrument'])
  if (uri === null || !isSameHost(uri, actor.uri)) return null
  const document = toObject(json['instrument'])
  const isOwn = document !== null && toIds(document['attributedTo']).includes(actor.uri)
  return isOwn
    ? ingestStatus(ctx, { document, author: actor, via: 'fetch', spamChecked: true })
    : findOrFetch(ctx, uri, { unasked: true })
}
