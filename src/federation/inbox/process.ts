// Finds out what an activity means and does it. Who signed it is known, nothing else is certain.
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import { forwardActivity } from './forward.ts'
import type { Outcome } from './kit/handler.ts'
import { findHandler, isHandled, isHint, mayComeFrom } from './handlers.ts'
import { onForwardedActivity } from './forwarded-activity.ts'
import { parseActivity, type ReadActivity } from './read-activity.ts'
import type { AccountId } from '#lib/id.ts'

export interface ReceivedActivity {
  signer: StoredActor
  body: string
  recipientId: AccountId | null
  signedAt: Date | null
}

/** Deals with an activity. Throws when something is wrong here, so that it is tried again. */
export async function processActivity(ctx: Ctx, received: ReceivedActivity): Promise<Outcome> {
  const activity = parseActivity(received.body)
  if (!activity) return 'ignored'
  const outcome = await handle(ctx, received, activity)
  // What others call their activities is theirs to choose: only known types are told apart.
  const type = isHandled(activity.type) ? activity.type : 'other'
  ctx.meter.counter('stonechat_inbox_activities_total', { type, outcome }).value += 1
  if (outcome !== 'done') {
    const { id, actorUri } = activity
    ctx.log.debug({ activity: activity.type, id, actor: actorUri, outcome }, 'an activity had no effect')
  }
  return outcome
}

async function handle(ctx: Ctx, received: ReceivedActivity, activity: ReadActivity): Promise<Outcome> {
  const { signer, recipientId, signedAt } = received
  const { id, type, json } = activity
  // It was asked when the activity came; meanwhile it may have been decided otherwise.
  if (!mayComeFrom(signer, type)) return 'ignored'
  try {
    if (activity.actorUri !== signer.uri)
      return isHint(type) ? await onForwardedActivity(ctx, signer, activity) : 'ignored'
    const incoming = { id, type, json, actor: signer, recipientId, signedAt }
    const outcome = (await findHandler(type)?.(ctx, incoming)) ?? 'ignored'
    if (outcome === 'done') await forwardActivity(ctx, incoming)
    return outcome
  } catch (error) {
    if (!isAppError(error)) throw error
    return error.code === 'unavailable' ? 'later' : 'ignored'
  }
}
