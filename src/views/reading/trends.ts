import type { TrendsLink } from '#entities/preview-card.ts'
import type { Ctx } from '#ports/ctx.ts'
import { loadLinkHistories } from '#domain/reading/trends/queries.ts'
import { pick } from '#lib/collections.ts'
import { loadCardViews } from '../content/cards.ts'
import { renderHistory } from '../content/tags.ts'
import type { PreviewCardId } from '#lib/id.ts'

/** Trends::Link (https://docs.joinmastodon.org/entities/TrendsLink/#trends) of cards, in the order of `ids`. */
export async function viewTrendingLinks(ctx: Ctx, ids: readonly PreviewCardId[]): Promise<TrendsLink[]> {
  return pick(ids, await loadTrendingLinkViews(ctx, ids))
}

/** Trends::Link by the id of the card, but for those with nothing to show. */
export async function loadTrendingLinkViews(
  ctx: Ctx,
  ids: readonly PreviewCardId[],
): Promise<Map<PreviewCardId, TrendsLink>> {
  const [cards, histories] = await Promise.all([loadCardViews(ctx, ids), loadLinkHistories(ctx, ids)])
  return new Map(
    [...cards].map(([id, card]) => [id, { ...card, history: renderHistory(histories.get(id) ?? []) }]),
  )
}
