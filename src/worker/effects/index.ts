import type { Ctx } from '#ports/ctx.ts'
import type { Event, EventOf, EventType } from '#ports/events.ts'
import { acceptWaiting } from './accept-waiting.ts'
import { fanOut } from './fan-out.ts'
import { answerConfirmationAsked, answerResetAsked, sendMail } from './mail.ts'
import { mergeFeed } from './merge-feed.ts'
import { notifyFavourite } from './notify-favourite.ts'
import { notifyFollow, notifyFollowRequest } from './notify-follow.ts'
import { notifyStatus } from './notify-status.ts'
import { partFromDomain } from './part-from-domain.ts'
import {
  removeOfBlock,
  removeOfDomainBlock,
  removeOfFavourite,
  removeOfFollow,
  removeOfStatus,
} from './remove-notifications.ts'
import { removeStatus } from './remove-status.ts'
import { mergeFollowedTag, unmergeFollowedTag } from './tag-feed.ts'
import { unmergeBlocked, unmergeFeed, unmergeMuted } from './unmerge-feed.ts'

/** One consequence of an event. It may run more than once, and late: it reads the state it finds. */
export interface Effect {
  readonly name: string
  /** Waits for the network or takes long: runs as a job of its own, never before other events. */
  readonly slow?: boolean
  run(ctx: Ctx, event: never): Promise<void>
}

type EffectFor<T extends EventType> = Omit<Effect, 'run'> & {
  run(ctx: Ctx, event: EventOf<T>): Promise<void>
}

/** Event → what follows from it, in this order. Local and remote origin alike. */
const effects: { readonly [T in EventType]?: readonly EffectFor<T>[] } = {
  'account.updated': [acceptWaiting],
  'block.created': [unmergeBlocked, removeOfBlock],
  'confirmation.asked': [answerConfirmationAsked],
  'domain-block.created': [partFromDomain, removeOfDomainBlock],
  'favourite.created': [notifyFavourite],
  'favourite.deleted': [removeOfFavourite],
  'follow-request.accepted': [removeOfFollow],
  'follow-request.created': [notifyFollowRequest],
  'follow-request.deleted': [removeOfFollow],
  'follow-request.rejected': [removeOfFollow],
  'follow.created': [mergeFeed, notifyFollow],
  'follow.deleted': [unmergeFeed, removeOfFollow],
  'follow.rejected': [unmergeFeed, removeOfFollow],
  'mail.wanted': [sendMail],
  'mute.created': [unmergeMuted],
  'mute.deleted': [mergeFeed],
  'password-reset.asked': [answerResetAsked],
  'status.created': [fanOut, notifyStatus],
  'status.deleted': [removeStatus, removeOfStatus],
  'tag-follow.created': [mergeFollowedTag],
  'tag-follow.deleted': [unmergeFollowedTag],
}

export function effectsOf(event: Event): readonly Effect[] {
  return (effects[event.type] ?? []) as readonly Effect[]
}

export function findEffect(event: Event, name: string): Effect | undefined {
  return effectsOf(event).find((effect) => effect.name === name)
}

export async function runEffect(ctx: Ctx, event: Event, effect: Effect): Promise<void> {
  await effect.run(ctx, event as never)
}
