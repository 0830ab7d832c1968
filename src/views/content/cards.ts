import type { PreviewCard } from '#entities/preview-card.ts'
import type { Ctx } from '#ports/ctx.ts'
import { loadCards } from '#domain/content/cards/load.ts'
import { unique, valueOf } from '#lib/collections.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { renderCard } from '../render/card.ts'
import type { PreviewCardId } from '#lib/id.ts'

/** Preview cards by id with their authors, but for those with nothing to show. */
export async function loadCardViews(
  ctx: Ctx,
  ids: readonly PreviewCardId[],
): Promise<Map<PreviewCardId, PreviewCard>> {
  const cards = [...(await loadCards(ctx, ids)).values()]
  const authors = await loadAccountViews(ctx, unique(cards.flatMap((card) => card.author_account_id ?? [])))
  return new Map(
    cards.map((card) => {
      const author = valueOf(authors, card.author_account_id)
      return [card.id, renderCard(ctx.config, card, author && !author.suspended ? author : null)]
    }),
  )
}
