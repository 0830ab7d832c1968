import { favouriteStatus } from '#domain/content/statuses/interactions/favourite.ts'
import { toId } from '#federation/kit/json.ts'
import type { Handler } from '../kit/handler.ts'
import { findLocalStatus } from '../kit/local.ts'
import { areReactionsOn, react, readReaction } from './reaction.ts'
import { isUndoneActivity } from '../kit/find-undone-activity.ts'

/** A favourite; one with content, as Misskey sends them, is a reaction where those are wanted. */
export const onLike: Handler = async (ctx, incoming) => {
  const { actor, id, json } = incoming
  const status = await findLocalStatus(ctx, toId(json['object']))
  if (!status || (await isUndoneActivity(ctx, actor, id))) return 'ignored'
  const reaction = readReaction(json)
  if (reaction && (await areReactionsOn(ctx))) return react(ctx, incoming, status.id, reaction)
  await favouriteStatus(ctx, { accountId: actor.id }, status.id, id)
  return 'done'
}
