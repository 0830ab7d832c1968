import type { Reaction } from '#entities/emoji.ts'
import type { Ctx } from '#ports/ctx.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import type { StatusState } from '#domain/content/statuses/load-viewer-state.ts'
import { loadReactions } from '#domain/content/statuses/interactions/reactions.ts'
import { renderReaction } from './reactions.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** The reactions to those statuses that have any; null where the extension is off. */
export async function hydrateReactions(
  ctx: Ctx,
  viewerId: AccountId | null,
  states: Iterable<StatusState>,
): Promise<Map<StatusId, readonly Reaction[]> | null> {
  if (!(await getSettings(ctx)).emoji_reactions) return null
  const ids: StatusId[] = []
  for (const { line } of states) if (line.reactions_count > 0) ids.push(line.id)
  const rows = await loadReactions(ctx, viewerId, ids)
  return new Map(
    [...rows].map(([id, found]) => [id, found.map((row) => renderReaction(ctx.config, viewerId, row))]),
  )
}
