import type { TrendsLink } from '#entities/preview-card.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { loadCards, type CardRow } from '#domain/content/cards/load.ts'
import { loadLinkHistories } from '#domain/reading/trends/queries.ts'
import { pick } from '#lib/collections.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { renderCard } from '../render/card.ts'
import { renderHistory } from '../content/tags.ts'

/** Trends::Link (https://docs.joinmastodon.org/entities/TrendsLink/#trends) of cards, in the order of `ids`. */
export async function viewTrendingLinks(ctx: Ctx, ids: readonly Id[]): Promise<TrendsLink[]> {
  return pick(ids, await loadTrendingLinkViews(ctx, ids))
}

/** Trends::Link by the id of the card, but for those with nothing to show. */
export async function loadTrendingLinkViews(ctx: Ctx, ids: readonly Id[]): Promise<Map<Id, TrendsLink>> {
  const [found, histories] = await Promise.all([loadCards(ctx, ids), loadLinkHistories(ctx, ids)])
  const cards = [...found.values()]
  const authors = await loadAccountViews(ctx, [
    ...new Set(cards.flatMap((card) => card.author_account_id ?? [])),
  ])
  const view = (card: CardRow): TrendsLink => {
    const account = authors.get(card.author_account_id ?? '')
    return {
      ...renderCard(ctx.config, card, account && !account.suspended ? account : null),
      history: renderHistory(histories.get(card.id) ?? []),
    }
  }
  return new Map(cards.map((card) => [card.id, view(card)]))
}
