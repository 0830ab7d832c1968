import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { loadCards } from '#domain/cards/load.ts'
import { loadLinkHistories } from '#domain/trends/queries.ts'
import { pick } from '#lib/collections.ts'
import { loadAccountViews } from './accounts.ts'
import { renderCard, type CardJson } from './render/card.ts'
import { renderHistory } from './tags.ts'

/** Trends::Link (https://docs.joinmastodon.org/entities/PreviewCard/#trends) of cards, in the order of `ids`. */
export async function viewTrendingLinks(ctx: Ctx, ids: readonly Id[]): Promise<CardJson[]> {
  const [found, histories] = await Promise.all([loadCards(ctx, ids), loadLinkHistories(ctx, ids)])
  const cards = pick(ids, found)
  const authors = await loadAccountViews(ctx, [
    ...new Set(cards.flatMap((card) => card.author_account_id ?? [])),
  ])
  return cards.map((card) => {
    const account = authors.get(card.author_account_id ?? '')
    return {
      ...renderCard(ctx.config, card, account && !account['suspended'] ? account : null),
      history: renderHistory(histories.get(card.id) ?? []),
    }
  })
}
