import { saveRemoteReblog } from '#domain/content/statuses/remote/save-remote-reblog.ts'
import type { Visibility } from '#domain/identity/accounts/viewer.ts'
import type { Ctx } from '#ports/ctx.ts'
import { readAudience } from '#federation/ingest/notes/read-note.ts'
import { readVisibility } from '#federation/ingest/notes/visibility.ts'
import { toTime } from '#federation/kit/json.ts'
import type { Incoming, Outcome } from '../kit/handler.ts'
import { findOrFetch } from '../kit/refetch-status.ts'

/** What is older than this is news to this server alone. */
const deliveredFor = 7 * 86_400_000

/** Stores the boost of a status that may have to be fetched. */
export async function boost(ctx: Ctx, { actor, id, json }: Incoming, uri: string): Promise<Outcome> {
  if (id === null) return 'ignored'
  const originalId = await findOrFetch(ctx, uri)
  if (originalId === 'later') return 'later'
  if (originalId === null) return 'ignored'
  const now = ctx.clock.now()
  const told = toTime(json['published'])?.getTime() ?? now
  const createdAt = new Date(Math.min(told, now))
  const past = now - createdAt.getTime() > deliveredFor
  const reblog = { uri: id, originalId, visibility: visibilityOf(actor, json), createdAt, past }
  await saveRemoteReblog(ctx, { accountId: actor.id }, reblog)
  return 'done'
}

/** One that is addressed to nobody we understand is for the followers. */
function visibilityOf(actor: Incoming['actor'], json: Incoming['json']): Visibility {
  const audience = readAudience(json) ?? { to: [], cc: [] }
  const visibility = readVisibility(audience, actor, [])
  return visibility === 'public' || visibility === 'unlisted' ? visibility : 'private'
}
