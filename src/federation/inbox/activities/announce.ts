import { isAnyFollowed } from '#domain/content/statuses/remote/remote-references.ts'
import { toId, toObject } from '#federation/kit/json.ts'
import { isOwnUri } from '#federation/kit/uris.ts'
import { boost } from './boost.ts'
import { isGroupActivity, onGroupActivity } from './group-activity.ts'
import type { Handler } from '../kit/handler.ts'
import { isRelay } from '../kit/trusted-forwarders.ts'
import { refetchStatus } from '../kit/refetch-status.ts'
import { isUndoneActivity } from '../kit/find-undone-activity.ts'

/**
 * A boost, when it has to do with anybody here. What is boosted is fetched from its own server, whatever the activity
 * says of it. A relay boosts nothing: it tells what there is.
 */
export const onAnnounce: Handler = async (ctx, incoming) => {
  const { actor, id, json } = incoming
  const embedded = toObject(json['object'])
  const isFollowed = await isAnyFollowed(ctx, [actor.id])
  if (embedded && isGroupActivity(embedded)) {
    return isFollowed ? onGroupActivity(ctx, incoming, embedded) : 'ignored'
  }
  const uri = toId(json['object'])
  if (uri === null || (await isUndoneActivity(ctx, actor, id))) return 'ignored'
  if (isFollowed || isOwnUri(ctx.config, uri)) return boost(ctx, incoming, uri)
  return (await isRelay(ctx, actor)) ? refetchStatus(ctx, uri) : 'ignored'
}
