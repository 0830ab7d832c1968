// Tells other servers of follows and blocks. Only what local accounts do is told, and only to the other side.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import {
  deliverAccept,
  deliverBlock,
  deliverFollow,
  deliverReject,
  deliverUnblock,
  deliverUnfollow,
} from '#federation/outbox/relationships.ts'

export const askToFollow = {
  name: 'ask-to-follow',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'follow-request.created'>) => deliverFollow(ctx, event),
} as const

/** Every accepted request becomes a follow as well: this is the one answer to both. */
export const acceptFollower = {
  name: 'accept-follower',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'follow.created'>) => deliverAccept(ctx, event),
} as const

export const rejectFollower = {
  name: 'reject-follower',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'follow.rejected' | 'follow-request.rejected'>) => deliverReject(ctx, event),
} as const

export const takeBackFollow = {
  name: 'take-back-follow',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'follow.deleted' | 'follow-request.deleted'>) => deliverUnfollow(ctx, event),
} as const

export const deliverBlocked = {
  name: 'deliver-block',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'block.created'>) => deliverBlock(ctx, event),
} as const

export const deliverUnblocked = {
  name: 'deliver-unblock',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'block.deleted'>) => deliverUnblock(ctx, event),
} as const
