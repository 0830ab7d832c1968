import { followAccount } from '#domain/social/relationships/follow.ts'
import { isFollowing } from '#domain/social/relationships/queries.ts'
import { findRelayOf } from '#domain/federation/relays/relays.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import { hostOf, toId } from '#federation/kit/json.ts'
import { toFollowAnswer } from '#federation/objects/activities.ts'
import { publish } from '#federation/outbox/publish.ts'
import { deliverAccept, deliverReject } from '#federation/outbox/relationships.ts'
import { instanceActorUri, readLocalUri } from '#federation/kit/uris.ts'
import type { Handler, Incoming } from '../kit/handler.ts'
import { findLocalActor } from '../kit/local.ts'
import { isFollowUndone } from '../kit/find-undone-activity.ts'

/** A follow, or a request. Whoever may not follow is told so, and whoever follows already is told so again. */
export const onFollow: Handler = async (ctx, incoming) => {
  const { actor, id, json } = incoming
  const uri = toId(json['object'])
  if (uri === null || (await isFollowUndone(ctx, incoming))) return 'ignored'
  if (readLocalUri(ctx.config, uri)?.kind === 'instance-actor') {
    await answerForServer(ctx, incoming)
    return 'done'
  }
  const followed = await findLocalActor(ctx, uri)
  if (!followed) return 'ignored'
  const pair = { accountId: actor.id, targetAccountId: followed.id }
  const again = await isFollowing(ctx, actor.id, followed.id)
  try {
    await followAccount(ctx, { accountId: actor.id }, followed.id, { uri: id ?? undefined })
  } catch (error) {
    if (!isAppError(error, 'forbidden')) throw error
    await deliverReject(ctx, { ...pair, uri: id })
    return 'done'
  }
  // A first follow is answered because of what follows from it.
  if (again) await deliverAccept(ctx, pair)
  return 'done'
}

/** Nobody follows the server itself but relays, some of which follow back whoever follows them. */
async function answerForServer(ctx: Ctx, { actor, id }: Incoming): Promise<void> {
  const relay = await findRelayOf(ctx, { uri: actor.uri, host: hostOf(actor.uri) ?? '' })
  const isWanted = relay?.actor_uri === actor.uri && (relay.state === 'pending' || relay.state === 'accepted')
  const between = { actor: instanceActorUri(ctx.config), other: actor.uri }
  const activity = toFollowAnswer(isWanted ? 'Accept' : 'Reject', between, id)
  await publish(ctx, { senderId: null, activity, inboxes: [actor.inboxUrl] })
}
