import { blockAccount } from '#domain/social/relationships/block.ts'
import { toId } from '#federation/kit/json.ts'
import type { Handler } from '../kit/handler.ts'
import { findLocalActor } from '../kit/local.ts'
import { isUndoneActivity } from '../kit/find-undone-activity.ts'

/** The one who is blocked follows no more, and is not told why. */
export const onBlock: Handler = async (ctx, { actor, id, json }) => {
  const target = await findLocalActor(ctx, toId(json['object']))
  if (!target || (await isUndoneActivity(ctx, actor, id))) return 'ignored'
  await blockAccount(ctx, { accountId: actor.id }, target.id, id)
  return 'done'
}
