// Tells authors elsewhere what local people do with their statuses, and followers what is pinned.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import {
  deliverFeaturedTag,
  deliverLike,
  deliverPin,
  deliverReaction,
  deliverUnlike,
  deliverUnreaction,
  deliverVotes,
} from '#federation/outbox/interactions.ts'
import { deliverResults } from '#federation/outbox/statuses.ts'

export const deliverFavourite = {
  name: 'deliver-favourite',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'favourite.created'>) => deliverLike(ctx, event),
} as const

export const takeBackFavourite = {
  name: 'take-back-favourite',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'favourite.deleted'>) => deliverUnlike(ctx, event),
} as const

export const deliverEmojiReaction = {
  name: 'deliver-reaction',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'reaction.created'>) => deliverReaction(ctx, event),
} as const

export const takeBackReaction = {
  name: 'take-back-reaction',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'reaction.deleted'>) => deliverUnreaction(ctx, event),
} as const

export const deliverPinned = {
  name: 'deliver-pin',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'status.pinned'>) => deliverPin(ctx, event, 'Add'),
} as const

export const deliverUnpinned = {
  name: 'deliver-unpin',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'status.unpinned'>) => deliverPin(ctx, event, 'Remove'),
} as const

export const deliverTagFeatured = {
  name: 'deliver-featured-tag',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'featured-tag.created'>) => deliverFeaturedTag(ctx, event, 'Add'),
} as const

export const deliverTagUnfeatured = {
  name: 'deliver-unfeatured-tag',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'featured-tag.deleted'>) => deliverFeaturedTag(ctx, event, 'Remove'),
} as const

/** How often the results of a poll are told while people vote, in milliseconds. */
const resultsEvery = 180_000

/** The votes to the poll's author elsewhere. Of a poll of this server the results are told, not more than every few minutes. */
export const deliverPollVotes = {
  name: 'deliver-votes',
  hasExternalEffects: true,
  async run(ctx: Ctx, { pollId, accountId, choices }: EventOf<'poll.voted'>) {
    await deliverVotes(ctx, { pollId, accountId, choices })
    const period = Math.floor(ctx.clock.now() / resultsEvery) + 1
    const options = { key: `deliver-results:${pollId}:${period}`, runAt: new Date(period * resultsEvery) }
    await ctx.jobs.add('deliver-results', { pollId }, options)
  },
} as const

export const deliverPollResults = {
  name: 'deliver-results',
  hasExternalEffects: true,
  run: (ctx: Ctx, { pollId }: EventOf<'poll.ended'>) => deliverResults(ctx, pollId),
} as const
