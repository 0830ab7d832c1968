// Authors say whose replies, boosts and favourites they do not take: https://docs.gotosocial.org/en/latest/federation/interaction_controls/.
import {
  refuseFavourite,
  refuseReblog,
  refuseReply,
} from '#domain/content/statuses/remote/refuse-interaction.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isId } from '#lib/ids.ts'
import { toId, toObject, typeOf } from '#federation/kit/json.ts'
import { readLocalUri } from '#federation/kit/uris.ts'
import type { Incoming } from './handler.ts'
import { findKnownStatus } from './local.ts'
import { asId, type FavouriteId } from '#lib/id.ts'

/** A request names what it asks for as its instrument; others are refused as they are. */
const requests = new Set(['LikeRequest', 'ReplyRequest', 'AnnounceRequest'])
const interactions = new Set(['', 'Like', 'Announce', 'Create', 'Note', 'Question'])

/** Whether something was taken from a status of the actor's because of this Reject. */
export async function refuseInteraction(ctx: Ctx, { actor, json }: Incoming): Promise<boolean> {
  const embedded = toObject(json['object'])
  const isRequest = requests.has(typeOf(embedded))
  if (!isRequest && !interactions.has(typeOf(embedded))) return false
  const uri = toId(isRequest ? embedded?.['instrument'] : json['object'])
  if (uri === null) return false
  const favouriteId = readFavouriteId(ctx, uri)
  if (favouriteId !== null) return refuseFavourite(ctx, actor.id, favouriteId)
  const status = await findKnownStatus(ctx, uri)
  if (!status || status.deleted) return false
  return (status.reblog_of_id === null ? refuseReply : refuseReblog)(ctx, actor.id, status.id)
}

/** This server's favourites are named by a fragment of who made them. */
function readFavouriteId(ctx: Ctx, uri: string): FavouriteId | null {
  if (readLocalUri(ctx.config, uri)?.kind !== 'actor') return null
  const id = /#likes\/(\d+)$/.exec(uri)?.[1]
  return id !== undefined && isId(id) ? asId<FavouriteId>(id) : null
}
