import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { mayTry } from '../fetch/failures.ts'
import { isSameHost, toId } from '../kit/json.ts'
import type { Outcome } from './kit/handler.ts'
import { isRelay } from './kit/trusted-forwarders.ts'
import type { ReadActivity } from './read-activity.ts'
import { refetchStatus, refetchChangedStatus, refetchQuoteStamp } from './kit/refetch-status.ts'

/** From one account that is no relay, within so many seconds: each makes this server ask where it is told to. */
const often = { kind: 'hints', max: 300, seconds: 3600 }

/**
 * An activity that somebody else passed on, such as a relay. Signatures inside of documents prove nothing here, so it
 * says no more than where there is something to look at.
 */
export async function onForwardedActivity(
  ctx: Ctx,
  signer: StoredActor,
  { type, actorUri, json }: ReadActivity,
): Promise<Outcome> {
  const uri = toId(json['object'])
  if (uri === null || !isSameHost(uri, actorUri)) return 'ignored'
  if (!(await mayTry(ctx, { ...often, name: signer.uri })) && !(await isRelay(ctx, signer))) return 'ignored'
  if (type === 'Create') return refetchStatus(ctx, uri)
  const outcome = await refetchChangedStatus(ctx, uri)
  return outcome === 'ignored' && type === 'Delete' ? refetchQuoteStamp(ctx, uri) : outcome
}
