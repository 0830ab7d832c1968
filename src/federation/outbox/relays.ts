// What relays are asked for. Those whose inbox alone is known are followed by following the public collection.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { findRelay } from '#domain/federation/relays/relays.ts'
import { toFollow, toUndo } from '../objects/activities.ts'
import { publicAddress } from '../objects/audience.ts'
import { instanceActorUri } from '../kit/uris.ts'
import { publish } from './publish.ts'
import type { RelayId } from '#lib/id.ts'

/** Follow of a relay by the server itself, while it is wanted. */
export async function deliverRelayFollow(ctx: Ctx, relayId: RelayId): Promise<void> {
  const relay = await findRelay(ctx, relayId)
  if (relay?.state !== 'pending' || relay.follow_uri === null) return
  const activity = toFollow(between(ctx, relay.actor_uri), relay.follow_uri)
  await publish(ctx, { senderId: null, activity, inboxes: [relay.inbox_url] })
}

/** Undo of the Follow of a relay that is no longer one of ours. */
export async function deliverRelayUndo(ctx: Ctx, relay: EventOf<'relay.dropped'>): Promise<void> {
  if (relay.followUri === null) return
  const activity = toUndo(toFollow(between(ctx, relay.actorUri), relay.followUri))
  await publish(ctx, { senderId: null, activity, inboxes: [relay.inboxUrl] })
}

const between = (ctx: Ctx, actorUri: string | null) => ({
  actor: instanceActorUri(ctx.config),
  other: actorUri ?? publicAddress,
})
