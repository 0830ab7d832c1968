import { toId } from '../json.ts'
import type { Handler } from './handler.ts'
import { findLocalStatus } from './local.ts'
import { areReactionsOn, react, readReaction } from './reaction.ts'
import { isUndone } from './undone.ts'

/** A reaction with an emoji, as Pleroma sends them (FEP-c0e0). */
export const onEmojiReact: Handler = async (ctx, incoming) => {
  const { actor, id, json } = incoming
  const reaction = readReaction(json)
  const status = reaction && (await findLocalStatus(ctx, toId(json['object'])))
  if (!status || !(await areReactionsOn(ctx)) || (await isUndone(ctx, actor, id))) return 'ignored'
  return react(ctx, incoming, status.id, reaction)
}
