import { favouriteStatus } from '#domain/content/statuses/favourite.ts'
import { toId } from '../json.ts'
import type { Handler } from './handler.ts'
import { findLocalStatus } from './local.ts'
import { areReactionsOn, react, readReaction } from './reaction.ts'
import { isUndone } from './undone.ts'

/** A favourite; one with content, as Misskey sends them, is a reaction where those are wanted. */
export const onLike: Handler = async (ctx, incoming) => {
  const { actor, id, json } = incoming
  const status = await findLocalStatus(ctx, toId(json['object']))
  if (!status || (await isUndone(ctx, actor, id))) return 'ignored'
  const reaction = readReaction(json)
  if (reaction && (await areReactionsOn(ctx))) return react(ctx, incoming, status.id, reaction)
  await favouriteStatus(ctx, { accountId: actor.id }, status.id, id)
  return 'done'
}
