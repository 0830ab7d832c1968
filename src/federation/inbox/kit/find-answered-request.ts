// What an Accept or Reject answers: a follow or a quote that this server asked for.
import { findFollowerByUri } from '#domain/social/relationships/find-by-uri.ts'
import { findRelayOf, type RelayRow } from '#domain/federation/relays/relays.ts'
import { findQuoteByRequest } from '#domain/content/statuses/quotes/answer-request.ts'
import { findQuoteParties } from '#domain/content/statuses/quotes/remote-quote.ts'
import type { Reader } from '#ports/ctx.ts'
import { hostOf, toId, toObject, typeOf } from '#federation/kit/json.ts'
import type { Incoming } from './handler.ts'
import { findLocalActor, findLocalStatus } from './local.ts'
import type { AccountId, RelayId, StatusId } from '#lib/id.ts'

export type AnsweredRequest =
  | { kind: 'follow'; followerId: AccountId }
  | { kind: 'relay'; relayId: RelayId; followUri: string | null }
  /** `statusId`: of the status that quotes. */
  | { kind: 'quote'; statusId: StatusId }

/** What is answered, as far as it was this actor who had been asked; null otherwise. */
export async function findAnsweredRequest(
  reader: Reader,
  incoming: Incoming,
): Promise<AnsweredRequest | null> {
  const { actor, json } = incoming
  const embedded = toObject(json['object'])
  const uri = toId(json['object'])
  const relay = await findRelayOf(reader, { uri: actor.uri, host: hostOf(actor.uri) ?? '' })
  if (relay && answersRelay(relay, incoming)) return { kind: 'relay', relayId: relay.id, followUri: uri }
  if (typeOf(embedded) === 'QuoteRequest') return findQuote(reader, incoming, toId(embedded?.['instrument']))
  const asker = typeOf(embedded) === 'Follow' ? await findLocalActor(reader, toId(embedded?.['actor'])) : null
  if (asker) return isAskedOf(incoming) ? { kind: 'follow', followerId: asker.id } : null
  if (uri === null) return null
  const followerId = await findFollowerByUri(reader, uri, actor.id)
  return followerId === null ? findQuote(reader, incoming, null) : { kind: 'follow', followerId }
}

/** The follow that is embedded, if one is, names whoever answers. */
function isAskedOf({ actor, json }: Incoming): boolean {
  const asked = toId(toObject(json['object'])?.['object'])
  return asked === null || asked === actor.uri
}

function answersRelay({ follow_uri }: RelayRow, { json }: Incoming): boolean {
  return follow_uri !== null && toId(json['object']) === follow_uri
}

async function findQuote(
  reader: Reader,
  { actor, json }: Incoming,
  quotingUri: string | null,
): Promise<AnsweredRequest | null> {
  const uri = toId(json['object'])
  const quoting = await findLocalStatus(reader, quotingUri)
  const statusId = quoting?.id ?? (uri === null ? null : await findQuoteByRequest(reader, uri))
  const parties = statusId === null ? null : await findQuoteParties(reader, { statusId })
  if (!parties?.quotingLocal || parties.quotedAccountId !== actor.id) return null
  return { kind: 'quote', statusId: parties.statusId }
}
