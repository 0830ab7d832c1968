// Groups pass on what their members do as it is (FEP-1b12: Lemmy, PieFed and others).
import type { Ctx } from '#ports/ctx.ts'
import { toId, toObject, typeOf, type JsonObject } from '#federation/kit/json.ts'
import { boost } from './boost.ts'
import type { Incoming, Outcome } from '../kit/handler.ts'
import { findKnownStatus } from '../kit/local.ts'
import { refetchStatus, refetchChangedStatus } from '../kit/refetch-status.ts'

/** Of these, only what changes what is shown of posts means something here. */
const activities = new Set(
  'Create Update Delete Undo Like Dislike EmojiReact Add Remove Block Lock Flag Announce Move View Vote'.split(
    ' ',
  ),
)

export function isGroupActivity(object: JsonObject): boolean {
  return activities.has(typeOf(object)) && object['object'] !== undefined
}

/** A new post is boosted by the group; comments come to the threads that are known here. */
export async function onGroupActivity(ctx: Ctx, incoming: Incoming, activity: JsonObject): Promise<Outcome> {
  const uri = toId(activity['object'])
  if (uri === null) return 'ignored'
  const type = typeOf(activity)
  if (type === 'Update' || type === 'Delete') return refetchChangedStatus(ctx, uri)
  if (type !== 'Create') return 'ignored'
  const parentUri = toId(toObject(activity['object'])?.['inReplyTo'])
  if (parentUri === null) return boost(ctx, incoming, uri)
  const parent = await findKnownStatus(ctx, parentUri)
  return parent && !parent.deleted ? refetchStatus(ctx, uri) : 'ignored'
}
