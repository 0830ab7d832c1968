import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { deliverRelayFollow, deliverRelayUndo } from '#federation/outbox/relays.ts'

export const followRelay = {
  name: 'follow-relay',
  hasExternalEffects: true,
  run: (ctx: Ctx, { relayId }: EventOf<'relay.requested'>) => deliverRelayFollow(ctx, relayId),
} as const

export const leaveRelay = {
  name: 'leave-relay',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'relay.dropped'>) => deliverRelayUndo(ctx, event),
} as const
