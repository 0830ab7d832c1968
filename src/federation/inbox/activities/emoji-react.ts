import { toId } from '#federation/kit/json.ts'
import type { Handler } from '../kit/handler.ts'
import { findLocalStatus } from '../kit/local.ts'
import { areReactionsOn, react, readReaction } from './reaction.ts'
import { isUndoneActivity } from '../kit/find-undone-activity.ts'

/** A reaction with an emoji, as Pleroma sends them (FEP-c0e0). */
export const onEmojiReact: Handler = async (ctx, incoming) => {
  const { actor, id, json } = incoming
  const reaction = readReaction(json)
  const status = reaction && (await findLocalStatus(ctx, toId(json['object'])))
  if (!status || !(await areReactionsOn(ctx)) || (await isUndoneActivity(ctx, actor, id))) return 'ignored'
  return react(ctx, incoming, status.id, reaction)
}
