import { isSameHost, toId } from '../json.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Outcome } from './handler.ts'
import type { ReadActivity } from './read-activity.ts'
import { onToldOf, onToldOfChange, onToldOfStamp } from './told.ts'

/**
 * An activity that somebody else passed on, such as a relay. Signatures inside of documents prove nothing here, so it
 * says no more than where there is something to look at.
 */
export async function onHint(ctx: Ctx, { type, actorUri, json }: ReadActivity): Promise<Outcome> {
  const uri = toId(json['object'])
  if (uri === null || !isSameHost(uri, actorUri)) return 'ignored'
  if (type === 'Create') return onToldOf(ctx, uri)
  const outcome = await onToldOfChange(ctx, uri)
  return outcome === 'ignored' && type === 'Delete' ? onToldOfStamp(ctx, uri) : outcome
}
